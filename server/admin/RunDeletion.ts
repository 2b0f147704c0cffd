import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RESERVED_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { DashboardStore } from "../../engine/store/operators/DashboardStore.ts"
import { Moderation } from "../../engine/store/operators/Moderation.ts"
import type { Run, RunError } from "../../engine/store/runs/Run.ts"
import { Snapshots } from "../../engine/store/snapshots/Snapshots.ts"
import type { Stored } from "../../engine/store/database/StoreUnavailable.ts"

/** Hides, ends and deletes runs with everything that belongs to them. Call in a transaction. */
export class RunDeletion extends Context.Service<
  RunDeletion,
  {
    /** Removes a run from the corpus, the dashboards and the snapshots, or adds it again. */
    readonly setHidden: (id: string, hidden: boolean) => Stored<void>
    /** Ends the unfinished runs of the site and everything below it; returns their number. */
    readonly end: (site: string, error: RunError) => Stored<number>
    /** Deletes runs with their data in the database and figures of dashboards. Their archives are not served any more, and are deleted soon. */
    readonly drop: (runs: ReadonlyArray<Pick<Run, "id">>) => Stored<void>
    /** The same for runs that did not merely expire but are to be gone: gives back what they count for the quotas of their sites, and withdraws the snapshots. */
    readonly takeBack: (runs: ReadonlyArray<Pick<Run, "id">>) => Stored<void>
  }
>()("docgauge/server/admin/RunDeletion") {
  static readonly layer: Layer.Layer<RunDeletion, never, DashboardStore | Limits | Moderation | Snapshots> =
    Layer.effect(
      RunDeletion,
      Effect.gen(function* () {
        const dashboards = yield* DashboardStore
        const { hostBudget, siteQuota } = yield* Limits
        const moderation = yield* Moderation
        const snapshots = yield* Snapshots

        /** The requests of each attempt are unknown, so the maximum is assumed. */
        const letGo = Effect.fnUntraced(function* ({ attempts, id }: Run) {
          yield* hostBudget.settle(id, RESERVED_REQUESTS * attempts)
          yield* siteQuota.giveBack(id)
        })

        const drop = Effect.fnUntraced(function* (runs: ReadonlyArray<Pick<Run, "id">>) {
          yield* moderation.drop(runs.map(({ id }) => id))
          if (runs.length > 0) yield* dashboards.dropResults
        })

        return {
          setHidden: Effect.fnUntraced(function* (id, hidden) {
            yield* moderation.setHidden(id, hidden)
            yield* dashboards.dropResults
            if (hidden) yield* snapshots.withdraw
          }),
          end: Effect.fnUntraced(function* (site, error) {
            const ended = yield* moderation.end(site, error)
            yield* Effect.forEach(ended, letGo, { discard: true })
            return ended.length
          }),
          drop,
          takeBack: Effect.fnUntraced(function* (runs) {
            yield* Effect.forEach(runs, ({ id }) => siteQuota.giveBack(id), { discard: true })
            yield* drop(runs)
            if (runs.length > 0) yield* snapshots.withdraw
          })
        }
      })
    )
}
