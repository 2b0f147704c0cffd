import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { databaseAddress } from "../../engine/store/DatabaseAddress.ts"
import type { Run } from "../../engine/store/Run.ts"
import { RunStore, type StoreUnavailable } from "../../engine/store/RunStore.ts"
import { NotFound, Unprocessable } from "../api/Errors.ts"
import type { DiffResponse, HistoryPage } from "../api/Runs.ts"
import { diffOf, readCompared } from "./Diff.ts"

/** Reading runs and what came before them. */
export class RunReading extends Context.Service<RunReading, {
  readonly find: (id: string) => Effect.Effect<Run, NotFound | StoreUnavailable>
  /** Runs of the site older than `before`, or than the run itself. */
  readonly history: (id: string, before: string | undefined, limit: number) => Effect.Effect<HistoryPage, NotFound | StoreUnavailable>
  readonly diff: (id: string, baseline: string | undefined) => Effect.Effect<DiffResponse, NotFound | Unprocessable | StoreUnavailable>
}>()("docgauge/server/RunReading") {
  static readonly layer: Layer.Layer<RunReading, Config.ConfigError, RunStore> = Layer.effect(
    RunReading,
    Effect.gen(function*() {
      const store = yield* RunStore
      // Without a database there is no history and nothing to compare with.
      const hasHistory = (yield* databaseAddress)._tag !== "Memory"

      const find = Effect.fnUntraced(function*(id: string) {
        const run = yield* store.find(id)
        return run ?? (yield* noSuchRun())
      })

      const remembered = (id: string) => (hasHistory ? find(id) : noSuchRun())

      const comparedReport = Effect.fnUntraced(function*({ id }: Run) {
        const stored = yield* store.report(id)
        return stored === null ? yield* Effect.die(new Error(`run ${id} is done and has no report`)) : readCompared(stored.encoded)
      })

      const chosenBaseline = Effect.fnUntraced(function*(target: Run, id: string) {
        const run = yield* find(id)
        if (run.id === target.id) return yield* new Unprocessable({ error: "The baseline is the run itself." })
        if (run.site !== target.site) return yield* new Unprocessable({ error: "The baseline is a run of another site." })
        if (run.status !== "done") return yield* new Unprocessable({ error: "The baseline is not done." })
        return run
      })

      const previous = Effect.fnUntraced(function*({ site, startedAt }: Run) {
        const run = yield* store.previousDone(site, startedAt)
        return run ?? (yield* new NotFound({ error: "The site has no earlier run that is done." }))
      })

      return {
        find,
        history: Effect.fnUntraced(function*(id, before, limit) {
          const anchor = yield* remembered(id)
          const { next, runs } = yield* store.history(anchor.site, before ?? anchor.startedAt, limit)
          return { runs: runs.map(entryOf), next_cursor: next ?? "", base_url: anchor.url, base_url_norm: anchor.site }
        }),
        diff: Effect.fnUntraced(function*(id, baseline) {
          const target = yield* remembered(id)
          if (target.status !== "done") return yield* new Unprocessable({ error: "The run is not done.", code: "not_done" })
          const from = baseline === undefined ? yield* previous(target) : yield* chosenBaseline(target, baseline)
          return diffOf(yield* comparedReport(from), yield* comparedReport(target), baseline === undefined)
        })
      }
    })
  )
}

const noSuchRun = () => Effect.fail(new NotFound({ error: "There is no such run.", code: "not_found" }))

const entryOf = ({ id, startedAt, status, totalScore }: Run): HistoryPage["runs"][number] => ({
  id,
  started_at: startedAt,
  ...(totalScore === null ? {} : { total_score: totalScore }),
  status
})
