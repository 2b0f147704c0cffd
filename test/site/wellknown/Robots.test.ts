import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { AI_AGENTS, robots as robotsDerivation, robotsOf } from "../../../engine/site/wellknown/Robots.ts"
import { productToken } from "../../../engine/site/wellknown/RobotsFile.ts"
import { fakeBase, fakeContext, faultOf, HONEST, type Reply } from "../FakeContext.ts"

describe("the AI agents that we know", () => {
  it("are known by one name each, which is one that robots.txt can address", () => {
    const tokens = AI_AGENTS.map(({ token }) => token.toLowerCase())
    expect(new Set(tokens).size).toBe(tokens.length)
    expect(tokens.map(productToken)).toEqual(tokens)
  })

  it.each([
    ["Google-Agent", "user"],
    ["Kimi-User", "user"],
    ["Perplexity-User", "user"],
    ["AzureAI-SearchBot", "search"],
    ["TavilyBot", "training"]
  ])("have what they read for: %s for %s", (name, kind) => {
    expect(AI_AGENTS.find(({ token }) => token === name)?.kind).toBe(kind)
  })

  it.each(["Scrapy", "Code", "facebookexternalhit", "Applebot", "Operator"])(
    "are without tools and crawlers of other uses, such as %s",
    (name) => {
      expect(AI_AGENTS.map(({ token }) => token)).not.toContain(name)
    }
  )
})

describe("what came of asking", () => {
  const robots = (reply: Reply) =>
    robotsDerivation.gather(fakeContext({ "/robots.txt": reply }).context, { notFoundProbe: Effect.succeed(HONEST) })

  it.effect.each([
    ["read", "User-agent: *"],
    ["read", ""],
    ["html", "<!doctype html><title>Docs</title>"],
    ["missing", 404],
    ["missing", "404. Page not found"],
    ["unobtainable", 503],
    ["unobtainable", 403],
    ["unobtainable", null]
  ] as const)("%s for %j", ([state, reply]) =>
    Effect.gen(function* () {
      expect((yield* robots(reply)).state).toBe(state)
    })
  )

  it("is nothing where it leads to another site, which crawlers follow and we do not contact (RFC 9309 §2.3.1.2)", () => {
    const url = "https://docs.example.com/robots.txt"
    const elsewhere = {
      ...faultOf(url),
      _tag: "Fault" as const,
      kind: "off_site" as const,
      message: "not on example.com; never contacted",
      redirects: [{ url, status: 301, location: "https://cdn.example.net/robots.txt" }]
    }
    expect(robotsOf(fakeBase(), url, elsewhere, HONEST).state).toBe("unobtainable")
    const place = { url, exchange: elsewhere, catchAll: false, honest: false, body: "" }
    const leadsAway = { catchAll: false, places: [place] }
    expect(robotsOf(fakeBase(), url, elsewhere, leadsAway).state).toBe("missing")
  })

  it.effect("names AI agents, signals and who is shut out", () =>
    Effect.gen(function* () {
      const read = yield* robots(
        "User-agent: gptbot\nUser-agent: Perplexity-User\nUser-agent: EvilBot\nDisallow:\nContent-Signal: ai-train=no\n\nUser-agent: docgauge\nDisallow: /"
      )
      expect(read.namedAgents.map(({ token, kind }) => [token, kind])).toEqual([
        ["GPTBot", "training"],
        ["Perplexity-User", "user"]
      ])
      expect(read).toMatchObject({ signals: ["ai-train=no"], shutsOutDocgauge: true })
    })
  )

  it.effect("does not take the rules for everyone for a refusal by name", () =>
    Effect.gen(function* () {
      expect((yield* robots("User-agent: *\nDisallow: /")).shutsOutDocgauge).toBe(false)
    })
  )
})
