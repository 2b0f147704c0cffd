import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { allows, parseRobots } from "../../../engine/site/wellknown/RobotsFile.ts"
import { type Outcome, randomFrom, type Suite } from "../Suite.ts"

interface Decision {
  readonly text: string
  readonly path: string
}

const HOST = "https://docs.example.com"
const AGENT = "examplebot"

/** Files of a few rules and a path for each, from what robots.txt files are made of. */
const decisions = (count: number): ReadonlyArray<Decision> => {
  const random = randomFrom(9309)
  const pick = <A>(items: ReadonlyArray<A>, other: A): A => items[random(items.length)] ?? other
  const path = (pieces: ReadonlyArray<string>): string =>
    `/${Array.from({ length: random(5) }, () => pick(pieces, "a")).join("")}`
  const rule = (): string =>
    `${pick(["Allow", "Disallow", "disallow"], "Allow")}: ${path(["a", "b", "/", "*", "ab", "~", "%7E", "?x=1", ".html"])}${random(6) === 0 ? "$" : ""}`
  const group = (): ReadonlyArray<string> => [
    `User-agent: ${pick(["*", AGENT, "otherbot", "ExampleBot/1.0"], "*")}`,
    ...Array.from({ length: 1 + random(4) }, rule)
  ]
  return Array.from({ length: count }, () => ({
    text: Array.from({ length: 1 + random(3) }, group)
      .flat()
      .join("\n"),
    path: path(["a", "b", "/", "ab", "~", "?x=1", ".html"])
  }))
}

/** Decides each. */
type Decide = (decisions: ReadonlyArray<Decision>) => ReadonlyArray<boolean>

/** What RFC 9309 reads alike and others do not: escaped characters that need no escape, and versions behind names. */
const plain = ({ path, text }: Decision): Decision => ({
  path,
  text: text.replaceAll("%7E", "~").replaceAll("ExampleBot/1.0", "ExampleBot")
})

const PLAIN = " [agrees once it is written plainly]"

const EXPLAINED = [
  {
    difference: /\[agrees once it is written plainly\]$/,
    why: "RFC 9309 §2.2.2 decodes escaped unreserved characters (`%7E` is `~`), and we compare product tokens without a version."
  }
]

const compared = (all: ReadonlyArray<Decision>, others: Decide): Outcome => {
  const decided = others(all)
  const differing = all.filter(
    ({ path, text }, index) => allows(parseRobots(text), AGENT, `${HOST}${path}`) !== decided[index]
  )
  const again = others(differing.map(plain))
  const differences = differing.map(({ path, text }, index) => {
    const own = allows(parseRobots(text), AGENT, `${HOST}${path}`)
    return `${JSON.stringify(text)} for ${path}: ${own ? "allowed" : "disallowed"} here${again[index] === own ? PLAIN : ""}`
  })
  return { cases: all.length, differences }
}

const COUNT = 200_000

const Parser = Schema.declare(
  (
    value
  ): value is (
    url: string,
    text: string
  ) => { readonly isAllowed: (url: string, agent: string) => boolean | undefined } => typeof value === "function"
)

/** Decisions of the npm package robots-parser. */
export const robotsParser: Suite = {
  name: "robots.txt: decisions of robots-parser",
  npm: { "robots-parser": "3.0.1" },
  run: (packages) => {
    const parse = Schema.decodeUnknownSync(Parser)(createRequire(import.meta.url)(packages.npm("robots-parser")))
    return Promise.resolve(
      compared(decisions(COUNT), (all) =>
        all.map(({ path, text }) => parse(`${HOST}/robots.txt`, text).isAllowed(`${HOST}${path}`, AGENT) !== false)
      )
    )
  },
  explained: EXPLAINED
}

const PYTHON = `
import json, sys
sys.path.insert(0, sys.argv[1])
from protego import Protego
for line in sys.stdin:
    text, url = json.loads(line)
    print(1 if Protego.parse(text).can_fetch(url, "${AGENT}") else 0)
`

/** Decisions of Protego, the parser of Scrapy. */
export const protego: Suite = {
  name: "robots.txt: decisions of Protego",
  debian: ["python3-protego"],
  programs: ["python3"],
  run: (packages) => {
    const folder = packages.debian("python3-protego")
    if (folder === null) return Promise.resolve({ cases: 0, differences: [] })
    const decide: Decide = (all) => {
      const input = all.map(({ path, text }) => JSON.stringify([text, `${HOST}${path}`])).join("\n")
      const printed = execFileSync("python3", ["-c", PYTHON, join(folder, "usr/lib/python3/dist-packages")], {
        input,
        encoding: "utf8",
        maxBuffer: 1e8
      })
      return printed
        .trim()
        .split("\n")
        .map((line) => line === "1")
    }
    return Promise.resolve(compared(decisions(COUNT), decide))
  },
  explained: [
    ...EXPLAINED,
    {
      difference: /(?:[Dd]isallow|Allow): \/\//,
      why: "Protego takes a rule that begins with `//` for a URL with a host."
    },
    { difference: /\?x=1[^\n"]*\$/, why: "Protego does not take a `$` behind a query for the end of the URL." }
  ]
}
