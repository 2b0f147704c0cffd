import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { robots as robotsDerivation } from "../../../engine/site/wellknown/Robots.ts"
import { fakeContext, type Reply } from "../FakeContext.ts"

describe("what came of asking", () => {
  const robots = (reply: Reply) => robotsDerivation.gather(fakeContext({ "/robots.txt": reply }).context, {})

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
