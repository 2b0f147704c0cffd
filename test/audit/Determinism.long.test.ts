import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { type FetchLimits as Limits, FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { Network } from "../../engine/evidence/http/Network.ts"
import { type Archive, openArchive, replay } from "../../engine/evidence/archive/Replay.ts"
import type { HopRequest } from "../../engine/evidence/Transport.ts"
import { type FakeSite, layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { goldenSites } from "../golden/GoldenSites.ts"
import { type Audited, auditOver } from "./AuditOver.ts"
import { shuffled } from "./ShuffledTransport.ts"

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const recorded = async (
  site: FakeSite,
  url: string,
  limits: Partial<Limits>
): Promise<{ readonly live: Audited; readonly archive: Archive }> => {
  const transport = layerFakeSite(site, { host: new URL(url).origin }).pipe(
    Layer.provide(Layer.succeed(FetchLimits, limitsWith(limits)))
  )
  const live = await Effect.runPromise(auditOver(transport, url, { limits }))
  return { live, archive: await Effect.runPromise(Effect.flatMap(live.archive, openArchive)) }
}

/** From the archive, in another order of arrival and at another pace. */
const again = (archive: Archive, url: string, limits: Partial<Limits>, seed: number): Promise<Audited> =>
  Effect.runPromise(auditOver(Layer.provide(shuffled(seed), replay(archive)), url, { limits }))

/** Budgets small enough for some to be left out: where an order of arrival would show. */
const BUDGETS: ReadonlyArray<readonly [string, Partial<Limits>]> = [
  ["with the usual limits", {}],
  ["with 30 requests", { requests: 30 }],
  ["with 90 requests", { requests: 90 }],
  ["with 300 KB", { auditBytes: 300_000 }],
  ["with bodies of 3 KB", { pageBytes: 3_000, documentBytes: 9_000 }]
]

/** Each has all that the small budgets cut; the other sites differ in their pages' text. */
const BUDGETED = new Set(["typical", "hostile"])

describe.each(goldenSites)("the $name site", ({ name, site, url }) => {
  it.each(BUDGETED.has(name) ? BUDGETS : BUDGETS.slice(0, 1))(
    "has one report %s, live and replayed in whatever order answers come",
    { timeout: 120_000 },
    async (_, limits) => {
      const { archive, live } = await recorded(site, url, limits)
      const digests = new Set([sha256(live.text)])
      for (const seed of [3, 13]) digests.add(sha256((await again(archive, url, limits, seed)).text))
      expect(digests.size).toBe(1)
    }
  )
})

const golden = (name: string) => {
  const found = goldenSites.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no golden site ${name}`)
  return found
}

describe("a replay", () => {
  it("touches no network, and misses nothing", async () => {
    const { site, url } = golden("typical")
    const { archive, live } = await recorded(site, url, {})
    const missed: Array<string> = []
    const watched: Archive = {
      ...archive,
      send: (request: HopRequest) =>
        Effect.tap(archive.send(request), (hop) =>
          Effect.sync(() => {
            if (hop._tag === "HopFault" && hop.kind === "not_recorded") missed.push(request.asked.url)
          })
        )
    }
    const refusing: Network = {
      lookup: () => Promise.reject(new Error("a replay looked a name up")),
      dial: () => {
        throw new Error("a replay opened a connection")
      },
      ownAddresses: () => {
        throw new Error("a replay asked for the addresses of this machine")
      }
    }
    const { text } = await Effect.runPromise(Effect.provideService(auditOver(replay(watched), url), Network, refusing))
    expect(text).toBe(live.text)
    expect(missed).toEqual([])
  })

  it("records the same archive again, byte for byte", async () => {
    const { site, url } = golden("typical")
    const { archive, live } = await recorded(site, url, {})
    const once = await Effect.runPromise(live.archive)
    const replayed = await Effect.runPromise(auditOver(replay(archive), url))
    expect(sha256(await Effect.runPromise(replayed.archive))).toBe(sha256(once))
  })

  it("of an audit that failed fails in the same words", async () => {
    const site: FakeSite = { "/robots.txt": "User-agent: *\nAllow: /\n", "*": { status: 403, body: "no" } }
    const { archive, live } = await recorded(site, "https://docs.example.com", {})
    const replayed = await again(archive, "https://docs.example.com", {}, 5)
    expect(Result.isFailure(live.result)).toBe(true)
    expect(replayed.text).toBe(live.text)
  })
})

describe("what is too much to hold", () => {
  /** Every answer is larger than what most collectors may spend; the pages come last in time and first in order. */
  const page = (path: string): string =>
    `<!doctype html><title>${path}</title><main><h1>${path}</h1><p>${"Words without an end. ".repeat(600)}</p>${Array.from({ length: 12 }, (_, index) => `<a href="/p${index}">p</a>`).join("")}</main>`
  const site: FakeSite = { "*": ({ url }) => ({ body: page(new URL(url).pathname), type: "text/html" }) }

  it.each([40_000, 120_000, 400_000])(
    "is left out alike whether it was sent for or not: %i bytes",
    { timeout: 120_000 },
    async (auditBytes) => {
      const { archive, live } = await recorded(site, "https://docs.example.com", { auditBytes })
      const digests = new Set([sha256(live.text)])
      for (let seed = 1; seed <= 4; seed++)
        digests.add(sha256((await again(archive, "https://docs.example.com", { auditBytes }, seed)).text))
      expect(digests.size).toBe(1)
    }
  )
})
