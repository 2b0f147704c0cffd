import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as fc from "fast-check"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { type Backend, dialects, onFresh, type Stores } from "../Databases.ts"
import { naiveCorpus } from "../NaiveCorpus.ts"
import { audited, finish, newRun, resultOf } from "../SampleRuns.ts"

const SITES = ["a.example.com", "docs.b.dev", "docs.b.dev/v2", "c.io"]

/** A run, how it ends, and what is done to it afterwards. */
const aRun = fc.record({
  site: fc.constantFrom(...SITES),
  score: fc.nat({ max: 100 }),
  reliable: fc.boolean(),
  then: fc.constantFrom("stay", "hide", "show again", "delete", "hide while it runs", "hide, then delete")
})

const expectModerated = (backend: Backend, test: Effect.Effect<unknown, unknown, Stores | Moderation | SqlClient>) =>
  Effect.runPromise(
    Effect.asVoid(Effect.orDie(onFresh(backend, Effect.provide(test, Moderation.layerSql.pipe(Layer.orDie)))))
  )

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`moderation on ${backend.name}`, () => {
    const on = (name: string, test: Effect.Effect<unknown, unknown, Stores | Moderation | SqlClient>) =>
      it(name, () => expectModerated(backend, test))

    it("figures are as if hidden and deleted runs had never existed", () =>
      fc.assert(
        fc.asyncProperty(fc.array(aRun, { maxLength: 14 }), (planned) =>
          expectModerated(
            backend,
            Effect.gen(function* () {
              const [store, history, corpus] = [yield* RunStore, yield* RunHistory, yield* Corpus]
              const moderation = yield* Moderation
              const accepted: Array<{ readonly run: Run; readonly counts: boolean }> = []
              for (const { reliable, score, site, then } of planned) {
                const { id } = yield* store.accept(
                  newRun(site, {
                    url: `https://${site}`,
                    site,
                    domain: (site.split("/")[0] ?? "").split(".").slice(-2).join(".")
                  })
                )
                if (then === "hide while it runs") yield* moderation.setHidden(id, true)
                yield* finish(id, resultOf(score, { reliable }))
                const run = yield* store.find(id)
                if (run !== null) accepted.push({ run, counts: then === "stay" || then === "show again" })
              }
              for (const [index, { then }] of planned.entries()) {
                const id = accepted[index]?.run.id ?? ""
                if (then === "hide" || then === "show again" || then === "hide, then delete")
                  yield* moderation.setHidden(id, true)
                if (then === "show again") yield* moderation.setHidden(id, false)
                if (then.endsWith("delete")) yield* moderation.drop([id])
              }
              const naive = naiveCorpus(accepted.map(({ counts, run }) => (counts ? run : { ...run, status: "error" })))
              yield* corpus.fold
              expect(yield* corpus.summary).toEqual(naive.summary)
              expect(yield* corpus.statistics).toEqual(naive.statistics)
              expect(yield* corpus.adoption).toEqual(naive.adoption)
              for (const order of ["best", "worst"] as const) {
                expect(yield* corpus.top("all", order, 50)).toEqual(naive.top("", order, 50))
                expect(yield* corpus.top("7d", order, 50)).toEqual(naive.top("", order, 50))
              }
              for (const needle of ["docs", "b.", "/v2", "a.example", "o"])
                expect(yield* corpus.search(needle, 50)).toEqual(naive.search(needle, 50))
              for (const site of SITES) {
                const { runs } = yield* history.page(site, null, 100)
                expect(runs.map(({ id }) => id).reverse()).toEqual(
                  accepted.filter(({ counts, run }) => counts && run.site === site).map(({ run }) => run.id)
                )
              }
            })
          )
        ),
        { numRuns: backend.cases(10) }
      ))

    on(
      "a hidden run can be read by its id, and counts nowhere",
      Effect.gen(function* () {
        const [store, history] = [yield* RunStore, yield* RunHistory]
        const moderation = yield* Moderation
        const run = yield* audited(newRun("a.dev"), 70)
        yield* moderation.setHidden(run.id, true)
        expect(yield* store.find(run.id)).toEqual(run)
        expect(yield* store.report(run.id)).toMatchObject({ run: { id: run.id } })
        expect(yield* store.latest(run.url, run.rubricDigest, "2020-01-01T00:00:00Z")).toBeNull()
        expect(yield* history.newest("a.dev")).toBeNull()
        expect(yield* moderation.find(run.id)).toMatchObject({ hidden: true, run: { id: run.id } })
        yield* moderation.setHidden(run.id, false)
        expect(yield* store.latest(run.url, run.rubricDigest, "2020-01-01T00:00:00Z")).toMatchObject({ id: run.id })
      })
    )

    on(
      "a deleted run leaves nothing behind, and deleting it again does nothing",
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const store = yield* RunStore
        const moderation = yield* Moderation
        const run = yield* audited(newRun("a.dev"), 70)
        yield* moderation.drop([run.id, run.id.toUpperCase(), "no id"])
        yield* moderation.drop([run.id])
        expect([yield* store.find(run.id), yield* store.report(run.id), yield* moderation.find(run.id)]).toEqual([
          null,
          null,
          null
        ])
        for (const table of ["runs", "reports", "facts", "exchanges", "site_figures", "tlds", "organisations"]) {
          expect(yield* sql`SELECT * FROM ${sql(table)}`, table).toEqual([])
        }
      })
    )

    on(
      "a site includes everything below it, and nothing beside it",
      Effect.gen(function* () {
        const store = yield* RunStore
        const moderation = yield* Moderation
        for (const site of ["a.dev", "a.dev/docs", "a.dev/docs/v2", "a.dev.io", "a.devx", "x.a.dev", "a.dev/docsx"]) {
          yield* store.accept(newRun(site, { site }))
        }
        const sites = (runs: ReadonlyArray<Run>): ReadonlyArray<string> => runs.map(({ site }) => site)
        expect(sites(yield* moderation.below("a.dev/docs", 10))).toEqual(["a.dev/docs", "a.dev/docs/v2"])
        expect(sites(yield* moderation.end("a.dev", { code: "audit_failed", message: "blocked" }))).toEqual([
          "a.dev",
          "a.dev/docs",
          "a.dev/docs/v2",
          "a.dev/docsx"
        ])
        expect(yield* moderation.end("a.dev", { code: "audit_failed", message: "blocked" })).toEqual([])
        const listed = yield* moderation.list({ site: "a.dev/docs", status: "error", hidden: false }, null, 10)
        expect(listed.map(({ run }) => [run.site, run.error])).toEqual([
          ["a.dev/docs/v2", { code: "audit_failed", message: "blocked" }],
          ["a.dev/docs", { code: "audit_failed", message: "blocked" }]
        ])
      })
    )

    on(
      "a site whose name is longer than an index entry includes what is below it, and nothing that only begins alike",
      Effect.gen(function* () {
        const [store, moderation] = [yield* RunStore, yield* Moderation]
        for (const length of [990, 1_000, 5_000]) {
          const host = `a${length}.dev`
          const site = `${host}/`.padEnd(length, "x")
          const own = [site, `${site}/v2`, `${site}/${"y".repeat(3_000)}`]
          for (const each of [`${site.slice(0, -1)}z`, `${site}x`, `${site}-v2`, ...own, host])
            yield* store.accept(newRun(host, { site: each }))
          expect((yield* moderation.below(site, 10)).map((run) => run.site)).toEqual(own)
          expect((yield* moderation.below(host, 10)).length).toBe(7)
        }
      })
    )

    on(
      "runs are listed newest first, page by page",
      Effect.gen(function* () {
        const store = yield* RunStore
        const moderation = yield* Moderation
        for (const host of ["a.dev", "b.dev", "c.dev"]) yield* store.accept(newRun(host))
        const all = { site: null, status: null, hidden: null }
        const first = yield* moderation.list(all, null, 2)
        expect(first.map(({ run }) => run.site)).toEqual(["c.dev", "b.dev"])
        expect((yield* moderation.list(all, first[1]?.serial ?? 0, 2)).map(({ run }) => run.site)).toEqual(["a.dev"])
        expect(yield* moderation.list({ ...all, status: "running" }, null, 2)).toEqual([])
        const [oldest] = yield* moderation.list(all, first[1]?.serial ?? 0, 1)
        yield* store.begin(oldest?.run.id ?? "", "worker-1")
        expect(yield* moderation.list({ ...all, status: "running" }, null, 2)).toMatchObject([
          { worker: "worker-1", begunAt: expect.stringMatching(/Z$/) }
        ])
      })
    )
  })
}
