import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import type { Answer } from "../../../engine/evidence/Exchange.ts"
import {
  countsAsAbsent,
  equalsProbe,
  fileVerdict,
  isMissingFile,
  isWithheld,
  type NotFoundProbe,
  notFoundProbe as probeDerivation,
  probeUrls
} from "../../../engine/site/wellknown/FileVerdict.ts"
import { answerOf, fakeBase, fakeContext, type FullReply, HONEST, ORIGIN } from "../FakeContext.ts"

const shell = (path: string) =>
  `<html><head><script nonce="${path.length * 7919}xyz"></script><link rel="canonical" href="${ORIGIN}${path}"></head><body><div id="root"></div></body></html>`

const catchAll = { otherwise: (ask: { readonly url: string }) => ({ body: shell(ask.url.slice(ORIGIN.length)) }) }

describe("canary", () => {
  it("asks for the same three addresses for one audited address, and for others for another", () => {
    const [one, again, other] = [fakeBase("/api/"), fakeBase("/api/"), fakeBase("/")].map(probeUrls)
    expect(one).toEqual(again)
    expect(one).toEqual(
      ["api/", "api/", ""].map((folder, index) =>
        expect.stringMatching(
          new RegExp(
            `^https://docs\\.example\\.com/${folder}docgauge-canary-[0-9a-f]{12}${["", "\\.md", "\\.txt"][index]}$`
          )
        )
      )
    )
    expect(other).not.toEqual(one)
  })

  it.effect("finds an honest site honest, in one round", () =>
    Effect.gen(function* () {
      const site = fakeContext({}, { otherwise: 410 })
      const notFoundProbe = yield* probeDerivation.gather(site.context, {})
      expect(notFoundProbe.catchAll).toBe(false)
      expect(notFoundProbe.places.map(({ honest }) => honest)).toEqual([true, true, true])
      expect(site.rounds()).toBe(1)
    })
  )

  it.effect("knows a single-page shell again at another address", () =>
    Effect.gen(function* () {
      const notFoundProbe = yield* probeDerivation.gather(fakeContext({}, catchAll).context, {})
      expect(notFoundProbe.catchAll).toBe(true)
      const skill = answerOf(`${ORIGIN}/skill.md`, { body: shell("/skill.md"), type: "text/markdown" })
      expect(equalsProbe(notFoundProbe, skill)).toBe(true)
      const page = answerOf(
        `${ORIGIN}/guide`,
        shell("/guide").replace('<div id="root"></div>', "<h1>Guide</h1><p>How to begin.</p>")
      )
      expect(equalsProbe(notFoundProbe, page)).toBe(false)
      expect(fileVerdict(notFoundProbe, page, "any")).toBe("found")
    })
  )

  it.effect("takes a shell for one whose text happens to hold the address's name", () =>
    Effect.gen(function* () {
      const site = fakeContext({}, { otherwise: "<html><body>Loading the root element</body></html>" })
      const notFoundProbe = yield* probeDerivation.gather(site.context, {})
      expect(
        equalsProbe(notFoundProbe, answerOf(`${ORIGIN}/root`, "<html><body>Loading the root element</body></html>"))
      ).toBe(true)
    })
  )

  it.effect("counts one place that answers as a catch-all, and a fault as neither", () =>
    Effect.gen(function* () {
      const [, second] = probeUrls(fakeBase())
      const site = fakeContext({ [second?.slice(ORIGIN.length) ?? ""]: "404. Page not found" }, { otherwise: null })
      const notFoundProbe = yield* probeDerivation.gather(site.context, {})
      expect(notFoundProbe.places.map(({ catchAll, honest }) => [catchAll, honest])).toEqual([
        [false, false],
        [true, false],
        [false, false]
      ])
      expect(notFoundProbe.catchAll).toBe(true)
    })
  )
})

describe("a file that is redirected as made-up URLs are", () => {
  const redirected = (from: string, to: string, status: number): Answer => ({
    ...answerOf(`${ORIGIN}${from}`, { status, url: `${ORIGIN}${to}` }),
    redirects: [{ url: `${ORIGIN}${from}`, status: 302, location: `${ORIGIN}${to}` }]
  })
  const probed = (to: string, status: number): NotFoundProbe => ({
    catchAll: status === 200,
    places: [
      {
        url: `${ORIGIN}/made-up`,
        exchange: redirected("/made-up", to, status),
        catchAll: status === 200,
        honest: status === 404,
        body: ""
      }
    ]
  })

  it.each([429, 503])(
    "is missing where these lead to a page, and its own redirect to that page answers %i",
    (status) => {
      const file = redirected("/llms.txt", "/start", status)
      expect(fileVerdict(probed("/start", 200), file, "text")).toBe("missing")
      expect(isMissingFile(probed("/start", 404), file)).toBe(false)
    }
  )

  it.each([429, 503, 403])(
    "may exist where all that is asked for is redirected to a page that answers %i",
    (status) => {
      const file = redirected("/llms.txt", "/blocked", status)
      expect(fileVerdict(probed("/blocked", status), file, "text")).toBe("unobtainable")
      expect(isMissingFile(probed("/blocked", status), file)).toBe(status !== 403)
    }
  )
})

describe("a file that is forbidden as made-up URLs are", () => {
  const forbidden = (path: string, body: string, headers: FullReply["headers"] = []): Answer =>
    answerOf(`${ORIGIN}${path}`, { status: 403, body, headers })
  const denied = (path: string, id: string): string =>
    `<Error><Code>AccessDenied</Code><Resource>${path}</Resource><RequestId>${id}</RequestId></Error>`
  const probed = (exchange: Answer): NotFoundProbe => ({
    catchAll: false,
    places: [{ url: exchange.url, exchange, catchAll: false, honest: false, body: "" }]
  })
  const store = probed(forbidden("/made-up.txt", denied("/made-up.txt", "7F3A0C")))

  it("is missing where the body is the same apart from its URL and id", () => {
    const file = forbidden("/llms.txt", denied("/llms.txt", "91B2DD"))
    expect(fileVerdict(store, file, "text")).toBe("missing")
    expect(isWithheld(store, file)).toBe(false)
  })

  it.each([
    ["the 403 says something else", store, forbidden("/llms.txt", "Members only.")],
    [
      "it asks for a login",
      store,
      answerOf(`${ORIGIN}/llms.txt`, { status: 401, body: denied("/llms.txt", "91B2DD") })
    ],
    ["made-up URLs are not found", HONEST, forbidden("/llms.txt", denied("/llms.txt", "91B2DD"))],
    [
      "a bot filter answers for all URLs",
      probed(forbidden("/made-up.txt", "", [["cf-mitigated", "challenge"]])),
      forbidden("/llms.txt", "", [["cf-mitigated", "challenge"]])
    ]
  ])("may exist where %s", (_, probe, file) => {
    expect(fileVerdict(probe, file, "text")).toBe("unobtainable")
  })
})

describe("what counts as absent", () => {
  it.each([
    ["a 404", { status: 404, body: "# Skill" }, "markdown", true],
    [
      "HTML for Markdown, whatever its label",
      { body: "<!DOCTYPE html><p>Hi", type: "text/markdown" },
      "markdown",
      true
    ],
    ["HTML for JSON, after a comment", { body: "<!-- x -->\n<html>", type: "application/json" }, "json", true],
    ["HTML where anything goes", { body: "<!DOCTYPE html><title>Guide</title><p>Text" }, "any", false],
    ["a soft error", { body: "# Page not found", type: "text/markdown" }, "markdown", true],
    ["Markdown labelled HTML", { body: "# Skill\n\n<div>x</div>", type: "text/html" }, "markdown", false],
    ["XML", { body: '<?xml version="1.0"?>\n<urlset/>', type: "text/xml" }, "xml", false],
    ["JSON", { body: "{}", type: "application/json" }, "json", false]
  ] as const)("%s", (_, reply, expected, absent) => {
    expect(countsAsAbsent(HONEST, answerOf(`${ORIGIN}/file`, reply), expected)).toBe(absent)
  })
})
