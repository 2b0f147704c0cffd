import { describe, expect, it } from "vitest"
import { below, normalise, pageKey, plainForm, siteFormOf } from "../../engine/evidence/Address.ts"
import { parseHttpMessage } from "../../engine/evidence/http/HttpMessage.ts"
import { targetOf } from "../../engine/store/runs/Run.ts"
import { allows, matches, parseRobots } from "../../engine/site/wellknown/RobotsFile.ts"
import { versionUrl } from "../../engine/site/markdown/VersionForm.ts"
import { basePathOf } from "../../server/oauth/OAuthSettings.ts"
import { siteName } from "../../engine/report/html/Parts.ts"
import { expectLinear, type GrowthCase } from "./Growth.ts"

const ORIGIN = "https://docs.example.com"

/** An address whose slashes end in something else, so that none of them is a trailing slash. */
const slashes = (size: number): string => `${ORIGIN}/x${"/".repeat(size)}x`

const AGENT = "User-agent: *\n"

const cases: ReadonlyArray<GrowthCase> = [
  { name: "the plain form of an address", make: slashes, run: plainForm },
  { name: "an address below another", make: slashes, run: (url) => below(url, "llms.txt") },
  { name: "the key of a page", make: slashes, run: pageKey },
  { name: "the address of a Markdown version", make: slashes, run: (url) => versionUrl("page.md", url) },
  { name: "the form of a site in lists", make: slashes, run: siteFormOf },
  { name: "the name of a site in a report", make: slashes, run: siteName },
  {
    name: "the key of a run's target",
    make: (size) => `${slashes(size)}ü`,
    run: (url) => targetOf(url, "digest", false)
  },
  { name: "the path of an OAuth address", make: slashes, run: basePathOf },
  {
    name: "a header of white space",
    make: (size) => `HTTP/1.1 200 OK\r\na: b${" \t".repeat(size / 2)}b\r\n\r\n`,
    run: (head) => parseHttpMessage(Buffer.from(head)),
    most: 250_000
  },
  {
    name: "a robots.txt rule of stars, against a long address",
    make: (size) => `${"*p".repeat(size / 2)}q`,
    run: (pattern) => matches(pattern, "p".repeat(pattern.length))
  },
  {
    name: "a robots.txt of rules with stars",
    make: (size) => AGENT + "Disallow: *p*p*p\n".repeat(size / 17),
    run: (text) => allows(parseRobots(text), "x", `${ORIGIN}/${"pq".repeat(2_000)}`),
    most: 500_000
  },
  {
    name: "a robots.txt of agents",
    make: (size) => "User-agent: a\nDisallow: /\n".repeat(size / 26),
    run: (text) => allows(parseRobots(text), "x", ORIGIN),
    most: 500_000
  },
  { name: "a robots.txt of empty lines", make: (size) => "\r".repeat(size), run: parseRobots },
  { name: "a robots.txt that is one line of colons", make: (size) => ": ".repeat(size / 2), run: parseRobots }
]

describe("the work on an address or header grows no faster than its length", () => {
  it.each(cases)("for $name", (linear) => expectLinear(linear))
})

describe("an address of more than 4,096 characters", () => {
  it("is refused", () => {
    const just = `${ORIGIN}/${"x".repeat(4_096 - ORIGIN.length - 1)}`
    expect(normalise(just)).toBe(just)
    expect(normalise(`${just}x`)).toBeNull()
  })

  it("is refused where it gets that long by resolving or encoding", () => {
    expect(normalise("x".repeat(4_000), `${ORIGIN}/${"y".repeat(200)}/`)).toBeNull()
    expect(normalise(`${ORIGIN}/${"ü".repeat(1_000)}`)).toBeNull()
  })
})
