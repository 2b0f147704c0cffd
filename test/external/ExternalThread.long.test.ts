import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import { limitsOf, type ExternalLimits } from "../../engine/external/ExternalLimits.ts"
import { runExternal } from "../../engine/external/ExternalPlugin.ts"
import { resolveExternal } from "../../engine/external/ExternalPlugins.ts"
import { derivationNames } from "../../engine/site/Site.ts"
import { FAKE_HOST } from "../../engine/testing/FakeSite.ts"
import { OUTSIDE_RUBRIC_FILE } from "./ExternalRubric.ts"

const URL_OF_SITE = `${FAKE_HOST}/`

const EXCHANGE: Exchange = {
  _tag: "Answer",
  asked: { method: "GET", url: URL_OF_SITE, accept: "text/html", agent: "docgauge" },
  url: URL_OF_SITE,
  redirects: [],
  status: 200,
  headers: [],
  body: new Uint8Array(),
  cut: false,
  wireBytes: 0
}

const BASE = {
  audited: URL_OF_SITE,
  url: URL_OF_SITE,
  origin: FAKE_HOST,
  prefix: "/",
  folder: URL_OF_SITE,
  site: "example.com",
  redirects: [],
  exchange: EXCHANGE,
  page: null
}

const EVER = { cpuMs: 600_000, wallMs: 600_000 }
const ENDLESS: ExternalLimits = { total: EVER, silence: EVER }

/** What its thread sent, or why it was ended. */
const outcomeOf = (name: string, limits: Partial<ExternalLimits> = {}) => {
  const { exported, module } = Result.getOrThrow(resolveExternal(name, OUTSIDE_RUBRIC_FILE))
  const site = { base: BASE, date: "2026-11-21", derivations: derivationNames }
  const answer = ({ argument }: { readonly argument?: unknown }) =>
    Effect.succeed(Array.isArray(argument) ? argument.map(() => EXCHANGE) : EXCHANGE)
  return Effect.runPromise(
    Effect.match(runExternal({ module: module.href, exported, params: {}, site }, { ...ENDLESS, ...limits }, answer), {
      onFailure: ({ message }) => message,
      onSuccess: ({ _tag }) => _tag
    })
  )
}

describe("the thread of an external plugin", () => {
  it.each([
    ["asksForever", "it made more than 1,000 calls"],
    ["asksForMuchAtOnce", "it made more than 1,000 calls"],
    ["fillsItsHeap", "it needed more than 144 MB of memory"],
    ["fillsBuffers", "its buffers needed more than 256 MB of memory"],
    ["sendsNoMessage", "it sent an invalid result: facts.found: expected number | boolean | string"],
    ["citesHalfAnExchange", "it sent an invalid result: findings.0.proof.asked: expected object"]
  ])("is ended where the plugin %s", async (name, message) => {
    expect(await outcomeOf(`./endless.ts#${name}`)).toBe(message)
  })

  it("is ended where it is never given back, without any other limit being reached", async () => {
    // A busy machine may not tell the CPU time of a thread.
    expect(await outcomeOf("./misbehaving.ts#loops", { silence: { ...EVER, cpuMs: 500 } })).toMatch(
      /^it (?:used more than 0\.5 s of CPU time without a request to the site|made no request to the site for 0\.5 s)$/
    )
  })

  it.each(["asksSlowly", "sleepsForEver"])(
    "is ended at the limit of wall time where it uses hardly any CPU time (%s)",
    async (name) => {
      expect(await outcomeOf(`./endless.ts#${name}`, { total: { ...EVER, wallMs: 2_000 } })).toBe(
        "it took more than 2 s"
      )
    }
  )

  it("is not ended at the limit of CPU time where it only waits, as a thread on a busy machine does", async () => {
    expect(await outcomeOf("./endless.ts#waits", { silence: { ...EVER, cpuMs: 1_000 } })).toBe("Measured")
  })

  it("has ten seconds of CPU time without a call, and three times its CPU time in all", () => {
    expect(limitsOf(60)).toEqual({
      total: { cpuMs: 60_000, wallMs: 180_000 },
      silence: { cpuMs: 10_000, wallMs: 180_000 }
    })
  })
})
