import process from "node:process"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { guardedHttp, type GuardedHttpOptions } from "../../engine/evidence/http/GuardedHttp.ts"
import { politely } from "../../engine/evidence/politeness/Politeness.ts"
import { type Archive, openArchive, replay } from "../../engine/evidence/archive/Replay.ts"
import type { Transport } from "../../engine/evidence/Transport.ts"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { AGENTS, type Audited, auditOver } from "../audit/AuditOver.ts"
import { nastySites } from "../audit/NastySites.ts"
import { shuffled } from "../audit/ShuffledTransport.ts"
import { hasCorpus, serveCorpus } from "../corpus/CorpusServer.ts"
import { httpServer } from "../evidence/LoopbackServers.ts"
import { goldenSites } from "../golden/GoldenSites.ts"

/** Replays of a recorded audit of a real site: 200 by hand where the order of work changes. */
const TIMES = Number(process.env["DOCGAUGE_REPLAYS"] ?? "8")

/** Of one that `npm test` replays, too. */
const FEWER_TIMES = TIMES / 4

/** Audits of hostile sites take seconds each. */
const HOSTILE_TIMES = Math.ceil(TIMES / 20)

/** Answers that ran out of time while it was recorded are not counted again, so that no load of this machine decides. */
const replayed = (archive: Archive, url: string, seed: number): Promise<Audited> =>
  Effect.runPromise(auditOver(Layer.provide(shuffled(seed), replay(archive)), url))

/** The reports of replays, each in an order of its own, that are not the report of the audit itself. */
const otherReports = async (
  transport: Layer.Layer<Transport>,
  url: string,
  times: number
): Promise<ReadonlyArray<string>> => {
  const live = await Effect.runPromise(auditOver(transport, url))
  const archive = await Effect.runPromise(Effect.flatMap(live.archive, openArchive))
  const others: Array<string> = []
  for (let seed = 1; seed <= times; seed++) {
    const { text } = await replayed(archive, url, seed)
    if (text !== live.text) others.push(text)
  }
  return others
}

const overNetwork = (options: Partial<GuardedHttpOptions>) =>
  politely().pipe(
    Layer.provide(guardedHttp({ resolve: [], allowPrivate: true, allowHttp: true, userAgents: AGENTS, ...options }))
  )

describe("one recorded audit has one report", () => {
  it.each(goldenSites.filter(({ name }) => name === "excellent"))("of the $name site", async ({ site, url }) => {
    expect(await otherReports(layerFakeSite(site, { host: new URL(url).origin }), url, FEWER_TIMES)).toEqual([])
  })

  it.skipIf(!hasCorpus)("of a real site", async () => {
    const corpus = await serveCorpus()
    try {
      const network = overNetwork({
        resolve: [{ host: "*", port: 443, address: "127.0.0.1", toPort: corpus.port }],
        authorities: [corpus.authority]
      })
      expect(await otherReports(network, "https://ellmer.test", TIMES)).toEqual([])
    } finally {
      await corpus.stop()
    }
  })

  it.each([
    "huge",
    "all but the first page a gzip bomb",
    "twenty thousand links",
    "fickle",
    "too many requests"
  ] as const)("of a site that is hostile: %s", async (name) => {
    const server = await httpServer(nastySites[name])
    try {
      expect(await otherReports(overNetwork({}), `http://127.0.0.1:${server.port}`, HOSTILE_TIMES)).toEqual([])
    } finally {
      await server.close()
    }
  })
})
