import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { AuditReport, CriterionResult, rubricName } from "../../engine/audit/Report.ts"
import { configuredDatabase } from "../../engine/store/Database.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { NotFound, Unprocessable } from "../api/Errors.ts"
import type { DiffResponse, HistoryPageBody } from "../api/Runs.ts"

const { categories, rubric, total_score } = AuditReport.fields
const { id, max, score, status } = CriterionResult.fields

/** The fields of a report that are compared. */
const Compared = Schema.Struct({
  total_score,
  rubric,
  categories,
  criteria: Schema.Array(Schema.Struct({ id, status, score, max }))
})
type Compared = typeof Compared.Type

const readCompared = Schema.decodeUnknownSync(Schema.fromJsonString(Compared))

/** What is known of the two runs beside their reports. */
interface DiffedRuns {
  readonly baselineAuto: boolean
  readonly fromReliable: boolean
  readonly toReliable: boolean
}

const LETTERS = ["A", "B", "C", "D", "E", "F"] as const

/** What changed between two reports of a site: categories by letter, criteria in the target's order, then those that only the baseline has. */
const diffOf = (
  baseline: Compared,
  target: Compared,
  { baselineAuto, fromReliable, toReliable }: DiffedRuns
): DiffResponse => ({
  total_delta: target.total_score - baseline.total_score,
  from_reliable: fromReliable,
  to_reliable: toReliable,
  from_rubric: rubricName(baseline.rubric),
  to_rubric: rubricName(target.rubric),
  categories: LETTERS.map((key) => ({ key, ...change(categoryOf(baseline, key), categoryOf(target, key)) })),
  criteria: idsOf(baseline, target).map((key) => {
    const [from, to] = [criterionOf(baseline, key), criterionOf(target, key)]
    return { key, ...change(from, to), from_status: from.status, to_status: to.status }
  }),
  baseline_auto: baselineAuto
})

interface Points {
  readonly score: number
  readonly max: number
}

const change = (from: Points, to: Points) => ({
  from: from.score,
  to: to.score,
  delta: to.score - from.score,
  from_max: from.max,
  to_max: to.max
})

const NONE: Points = { score: 0, max: 0 }

const categoryOf = ({ categories }: Compared, letter: string): Points =>
  Object.entries(categories).find(([key]) => key.startsWith(`${letter}_`))?.[1] ?? NONE

const criterionOf = ({ criteria }: Compared, id: string) =>
  criteria.find((criterion) => criterion.id === id) ?? { ...NONE, status: "absent" as const }

const idsOf = (baseline: Compared, target: Compared): ReadonlyArray<string> => [
  ...new Set([...target.criteria, ...baseline.criteria].map(({ id }) => id))
]

export class RunReading extends Context.Service<
  RunReading,
  {
    readonly find: (id: string) => Effect.Effect<Run, NotFound | StoreUnavailable>
    /** Runs of the site older than `before`, or than the run itself. */
    readonly history: (
      id: string,
      before: string | undefined,
      limit: number
    ) => Effect.Effect<HistoryPageBody, NotFound | StoreUnavailable>
    readonly diff: (
      id: string,
      baseline: string | undefined
    ) => Effect.Effect<DiffResponse, NotFound | Unprocessable | StoreUnavailable>
  }
>()("docgauge/server/RunReading") {
  static readonly layer: Layer.Layer<RunReading, Config.ConfigError, RunStore | RunHistory> = Layer.effect(
    RunReading,
    Effect.gen(function* () {
      const [store, history] = [yield* RunStore, yield* RunHistory]
      // Without a database there is no history to compare with.
      const hasHistory = (yield* configuredDatabase)._tag !== "Memory"

      const find = Effect.fnUntraced(function* (id: string) {
        const run = yield* store.find(id)
        return run ?? (yield* noSuchRun())
      })

      const remembered = (id: string) => (hasHistory ? find(id) : noSuchRun())

      const comparedReport = Effect.fnUntraced(function* ({ id }: Run) {
        const stored = yield* store.report(id)
        return stored === null
          ? yield* Effect.die(new Error(`run ${id} is done and has no report`))
          : readCompared(stored.encoded)
      })

      const chosenBaseline = Effect.fnUntraced(function* (target: Run, id: string) {
        const run = yield* find(id)
        if (run.id === target.id) return yield* new Unprocessable({ error: "The baseline is the run itself." })
        if (run.site !== target.site)
          return yield* new Unprocessable({ error: "The baseline is a run of a different site." })
        if (run.status !== "done") return yield* new Unprocessable({ error: "The baseline has not finished." })
        return run
      })

      const previous = Effect.fnUntraced(function* ({ site, startedAt }: Run) {
        const run = yield* history.before(site, startedAt)
        return run ?? (yield* new NotFound({ error: "This site has no earlier finished run." }))
      })

      return {
        find,
        history: Effect.fnUntraced(function* (id, before, limit) {
          const anchor = yield* remembered(id)
          const { next, runs } = yield* history.page(anchor.site, before ?? anchor.startedAt, limit)
          return { runs: runs.map(entryOf), next_cursor: next ?? "", base_url: anchor.url, base_url_norm: anchor.site }
        }),
        diff: Effect.fnUntraced(function* (id, baseline) {
          const target = yield* remembered(id)
          if (target.status !== "done")
            return yield* new Unprocessable({ error: "The run has not finished.", code: "not_done" })
          const from = baseline === undefined ? yield* previous(target) : yield* chosenBaseline(target, baseline)
          return diffOf(yield* comparedReport(from), yield* comparedReport(target), {
            baselineAuto: baseline === undefined,
            fromReliable: from.reliable === true,
            toReliable: target.reliable === true
          })
        })
      }
    })
  )
}

const noSuchRun = () => Effect.fail(new NotFound({ error: "There is no such run.", code: "not_found" }))

const entryOf = ({
  id,
  reliable,
  rubricDigest,
  startedAt,
  status,
  totalScore
}: Run): HistoryPageBody["runs"][number] => ({
  id,
  started_at: startedAt,
  ...(totalScore === null ? {} : { total_score: totalScore }),
  ...(reliable === null ? {} : { reliable }),
  ...(totalScore === null ? {} : { rubric_digest: rubricDigest }),
  status
})
