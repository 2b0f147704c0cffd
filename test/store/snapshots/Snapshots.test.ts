import { describe, expect, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { Corpus, type SiteSummary } from "../../../engine/store/corpus/Corpus.ts"
import type { CriterionOutcome } from "../../../engine/store/corpus/OutcomeCounts.ts"
import { Transactions } from "../../../engine/store/database/SqlDatabase.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { SiteBlocks } from "../../../engine/store/operators/SiteBlocks.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { type SnapshotFormat, Snapshots } from "../../../engine/store/snapshots/Snapshots.ts"
import { layerSql, SitesOfPart } from "../../../engine/store/snapshots/SqlSnapshots.ts"
import { movableClock } from "../../harness/MovableClock.ts"
import { dialects, dialectsOfSeveral, onFresh } from "../Databases.ts"
import { audited, finish, newRun, outcomesOf, resultOf } from "../SampleRuns.ts"
import { parseCsv } from "./ParsedCsv.ts"

const NAMES = new Map([["sha256:first", { id: "docs-ai-readiness", version: "3.0.0" }]])

const make = Snapshots.use((snapshots) => snapshots.make(Effect.succeed(NAMES)))

const stores = Layer.mergeAll(
  layerSql.pipe(Layer.provide([Transactions.layerSql, SecureRandom.layerWebCrypto])),
  Moderation.layerSql,
  SiteBlocks.layerSql
)

/** One more process on the same database. */
const elsewhere = Layer.fresh(layerSql.pipe(Layer.provide([Transactions.layerSql, SecureRandom.layerWebCrypto])))

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const bytesOf = (content: Stream.Stream<Uint8Array, unknown>) =>
  Effect.map(Stream.runCollect(content), (pieces) => Buffer.concat([...pieces]))

/** The text of the newest snapshot, once it has been held against its digests in both codings. */
const textOf = Effect.fnUntraced(function* (format: SnapshotFormat) {
  const { content, newest } = yield* Snapshots
  const snapshot = yield* newest(format)
  if (snapshot === null) return expect.fail("there is no snapshot")
  const [plain, packed] = [yield* bytesOf(content(snapshot, "identity")), yield* bytesOf(content(snapshot, "gzip"))]
  expect([plain.length, sha256(plain)]).toEqual([snapshot.bytes, snapshot.sha256])
  expect([packed.length, sha256(packed)]).toEqual([snapshot.gzipBytes, snapshot.gzipSha256])
  expect(gunzipSync(packed)).toEqual(plain)
  return plain.toString()
})

const linesOf = Effect.map(textOf("ndjson"), (text) =>
  text === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>)
)

const sitesIn = Effect.map(linesOf, (lines) => lines.map((line) => line["base_url"]))

/** By the clock of a process that is so many weeks ahead. */
const weeksLater =
  (weeks: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const { clock, move } = yield* movableClock
      yield* move(weeks * 7 * 86_400_000)
      return yield* Effect.provideService(effect, Clock.Clock, clock)
    })

const expectedLine = (site: SiteSummary, outcomes: ReadonlyArray<CriterionOutcome>, generator: string | null) => ({
  base_url: site.site,
  canonical_url: site.url,
  latest_run_id: site.latestRunId,
  reliable: site.reliable,
  run_count: site.runCount,
  first_run_at: site.firstRunAt,
  latest_run_at: site.latestRunAt,
  latest_score: site.latestScore,
  best_score: site.bestScore,
  worst_score: site.worstScore,
  avg_score: site.averageScore,
  applicable_points: site.applicablePoints,
  generator,
  rubric: { id: "docs-ai-readiness", version: "3.0.0", digest: "sha256:first" },
  criteria: Object.fromEntries(outcomes.map(({ id, max, score, state }) => [id, { state, score, max }]))
})

const GENERATORS = ["docusaurus", null, "sphinx"]

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`snapshots on ${backend.name}`, () => {
    it.live("hold of every site what the store has, in both formats", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const [corpus, history, store] = [yield* Corpus, yield* RunHistory, yield* RunStore]
          // More than fit into one part, with runs that are older or do not count among them.
          const hosts = Array.from({ length: 40 }, (_, index) => `docs${index}.example${index % 9}.dev/a,b`)
          yield* Effect.forEach(
            hosts,
            Effect.fnUntraced(function* (host, index) {
              for (let round = 0; round <= index % 3; round++) {
                const { id } = yield* store.accept(newRun(host))
                yield* finish(
                  id,
                  resultOf((index * 37 + round * 11) % 101, {
                    reliable: index % 5 > 0 && (round === 0 || index % 2 === 0),
                    generator: GENERATORS[(index + round) % 3] ?? null
                  })
                )
              }
            }),
            { concurrency: 4 }
          )
          yield* audited(newRun("failed.example.dev"), 50).pipe(
            Effect.flatMap(({ id }) => Moderation.use(({ setHidden }) => setHidden(id, true)))
          )
          const { length } = hosts
          expect(yield* make).toMatchObject({ _tag: "Made", sites: length })

          const lines = yield* linesOf
          const sql = yield* SqlClient
          const expected = yield* Effect.forEach(
            yield* corpus.sites(hosts),
            Effect.fnUntraced(function* (site) {
              const judged = yield* history.judged(site.site, 9)
              const newest = judged.find(({ run }) => run.startedAt === site.latestRunAt)
              const [row] = yield* sql<{ readonly generator: string | null }>`
                SELECT generator FROM runs WHERE id = ${newest?.run.id ?? ""}`
              return expectedLine(site, newest?.outcomes ?? [], row?.generator ?? null)
            })
          )
          const sorted = (all: ReadonlyArray<Record<string, unknown>>) =>
            all.toSorted((one, other) => (String(one["base_url"]) < String(other["base_url"]) ? -1 : 1))
          expect(sorted(lines)).toEqual(sorted(expected))
          expect(new Set(lines.map((line) => line["generator"]))).toEqual(new Set(GENERATORS))

          const [header = [], ...records] = parseCsv(yield* textOf("csv"))
          expect(header.slice(-9)).toEqual([
            "A1",
            "A1_score",
            "A1_max",
            "A2",
            "A2_score",
            "A2_max",
            "C10",
            "C10_score",
            "C10_max"
          ])
          const flat = (value: string | number | boolean | null | undefined): string => String(value ?? "")
          expect(records).toEqual(
            lines.map((line) => {
              const { criteria, rubric, ...plain } = line as ReturnType<typeof expectedLine>
              return [
                ...Object.values(plain).map(flat),
                ...Object.values(rubric).map(flat),
                ...["A1", "A2", "C10"].flatMap((id) => {
                  const found = criteria[id]
                  return [found?.state, found?.score, found?.max].map(flat)
                })
              ]
            })
          )
        }).pipe(Effect.provide(stores), Effect.provideService(SitesOfPart, 15))
      )
    )

    it.live("are made once a week, and of the weeks before only the last is kept", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const [snapshots, sql] = [yield* Snapshots, yield* SqlClient]
          expect(yield* make).toEqual({ _tag: "NothingToDo" })
          expect(yield* snapshots.newest("ndjson")).toBe(null)
          yield* audited(newRun("one.dev"), 10)
          expect(yield* make).toMatchObject({ _tag: "Made", sites: 1 })
          yield* audited(newRun("two.dev"), 20)
          expect(yield* make).toEqual({ _tag: "NothingToDo" })
          expect(yield* sitesIn).toEqual(["one.dev"])
          const first = yield* snapshots.newest("ndjson")
          for (const weeks of [1, 2]) expect(yield* weeksLater(weeks)(make)).toMatchObject({ _tag: "Made", sites: 2 })
          // A process whose clock is behind makes no older one.
          expect(yield* weeksLater(1)(make)).toEqual({ _tag: "NothingToDo" })
          expect(yield* sitesIn).toEqual(["one.dev", "two.dev"])
          const weeks = yield* sql<{ readonly week: string }>`SELECT DISTINCT week FROM snapshots`
          expect([weeks.length, weeks.some(({ week }) => week === first?.week)]).toEqual([2, false])
          const parts = yield* sql`SELECT DISTINCT snapshot FROM snapshot_parts`
          expect(parts).toHaveLength(4)
          const { weeks: counted } = yield* snapshots.adoption({ criterion: null, generator: null })
          expect(counted.map(({ sites }) => sites)).toEqual([1, 2, 2])
        }).pipe(Effect.provide(stores))
      )
    )

    it.live("leave out blocked sites and all below them", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const { put } = yield* SiteBlocks
          for (const host of ["one.dev", "two.dev/docs/v1", "two.dev/blog", "three.dev:8443"])
            yield* audited(newRun(host), 10)
          for (const site of ["two.dev/docs", "three.dev"]) yield* put(site, "")
          expect(yield* make).toMatchObject({ sites: 2 })
          expect(yield* sitesIn).toEqual(["one.dev", "two.dev/blog"])
        }).pipe(Effect.provide(stores))
      )
    )

    it.live(
      "that are withdrawn are not served any more, not even their rest, and are made again without what is gone",
      () =>
        onFresh(
          backend,
          Effect.gen(function* () {
            const [{ setHidden }, snapshots, sql] = [yield* Moderation, yield* Snapshots, yield* SqlClient]
            yield* audited(newRun("stays.dev"), 10)
            const { id } = yield* audited(newRun("leaves.dev"), 20)
            yield* make
            const before = yield* snapshots.newest("ndjson")
            if (before === null) return expect.fail("there is no snapshot")
            yield* setHidden(id, true)
            yield* snapshots.withdraw
            expect(yield* snapshots.newest("ndjson")).toBe(null)
            expect(yield* Effect.flip(bytesOf(snapshots.content(before, "gzip")))).toMatchObject({
              _tag: "StoreUnavailable"
            })
            expect(yield* make).toMatchObject({ _tag: "Made", sites: 1 })
            expect(yield* sitesIn).toEqual(["stays.dev"])
            expect(yield* sql`SELECT DISTINCT snapshot FROM snapshot_parts`).toHaveLength(2)
            const { weeks } = yield* snapshots.adoption({ criterion: null, generator: null })
            expect(weeks.map(({ sites }) => sites)).toEqual([1])
          }).pipe(Effect.provide(stores))
        )
    )

    it.live("leave no parts behind when all sites are gone", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const [{ drop }, snapshots, sql] = [yield* Moderation, yield* Snapshots, yield* SqlClient]
          const { id } = yield* audited(newRun("leaves.dev"), 20)
          yield* make
          yield* drop([id])
          yield* snapshots.withdraw
          expect(yield* make).toEqual({ _tag: "NothingToDo" })
          expect(yield* sql`SELECT part FROM snapshot_parts`).toEqual([])
        }).pipe(Effect.provide(stores))
      )
    )

    it.live("count by criterion and generator how many sites meet it, of those with a reliable run", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const [{ adoption }, store, corpus] = [yield* Snapshots, yield* RunStore, yield* Corpus]
          const sites = [
            ["a.dev", 80, "docusaurus"],
            ["b.dev", 30, "docusaurus"],
            ["c.dev", 70, "sphinx"],
            ["d.dev", 61, null]
          ] as const
          for (const [host, score, generator] of sites) {
            const { id } = yield* store.accept(newRun(host))
            yield* finish(id, resultOf(score, { generator }))
          }
          yield* audited(newRun("unreliable.dev"), 50, false)
          yield* make
          yield* corpus.fold
          const all = yield* adoption({ criterion: null, generator: null })
          expect(all.generators).toEqual([
            { generator: "docusaurus", sites: 2 },
            { generator: "sphinx", sites: 1 },
            { generator: "unknown", sites: 1 }
          ])
          expect(all.weeks).toMatchObject([{ sites: 4, week: expect.stringMatching(/^\d{4}-W\d\d$/) }])
          expect(all.weeks[0]?.criteria).toEqual((yield* corpus.adoption).map(({ id, sites }) => ({ id, ...sites })))
          const ofOne = yield* adoption({ criterion: "A1", generator: "docusaurus" })
          expect(ofOne.weeks).toMatchObject([
            {
              sites: 2,
              criteria: [{ id: "A1", present: 1, partial: 0, absent: 1, inconclusive: 0, not_applicable: 0 }]
            }
          ])
          const unknown = yield* adoption({ criterion: null, generator: "unknown" })
          expect(unknown.weeks[0]?.criteria.map(({ id }) => id)).toEqual(outcomesOf(61).map(({ id }) => id))
          expect((yield* adoption({ criterion: null, generator: "nobody" })).weeks).toEqual([])
          expect((yield* adoption({ criterion: "Z9", generator: null })).weeks).toMatchObject([
            { sites: 4, criteria: [] }
          ])
        }).pipe(Effect.provide(stores))
      )
    )

    it.live("say nothing of a rubric that is not known but its digest", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          yield* audited(newRun("a.dev", { rubricDigest: "sha256:other" }), 10)
          yield* make
          expect(yield* linesOf).toMatchObject([{ rubric: { id: null, version: null, digest: "sha256:other" } }])
        }).pipe(Effect.provide(stores))
      )
    )
  })
}

for (const backend of dialectsOfSeveral) {
  describe.skipIf(!backend.available)(`several processes on ${backend.name}`, () => {
    it.live("make one snapshot together", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          yield* audited(newRun("a.dev"), 10)
          const others = Array.from({ length: 3 }, () => Effect.provide(make, elsewhere))
          const passes = yield* Effect.all([make, ...others], { concurrency: "unbounded" })
          expect(passes.filter(({ _tag }) => _tag === "Made")).toHaveLength(1)
          expect(passes.filter(({ _tag }) => _tag === "NothingToDo")).toHaveLength(3)
          const sql = yield* SqlClient
          expect(yield* sql`SELECT id FROM snapshots`).toHaveLength(2)
          expect(yield* Effect.provide(make, elsewhere)).toEqual({ _tag: "NothingToDo" })
        }).pipe(Effect.provide(stores))
      )
    )

    it.live("serve nothing of a snapshot that was withdrawn while one of them made it", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const snapshots = yield* Snapshots
          yield* audited(newRun("a.dev"), 10)
          // The names are read once the making has begun.
          const names = Effect.as(Effect.orDie(snapshots.withdraw), NAMES)
          const { make: makeElsewhere } = yield* Effect.provide(Snapshots, elsewhere)
          expect(yield* makeElsewhere(names)).toEqual({ _tag: "Abandoned" })
          expect(yield* snapshots.newest("csv")).toBe(null)
          expect(yield* make).toMatchObject({ _tag: "Made" })
        }).pipe(Effect.provide(stores))
      )
    )
  })
}
