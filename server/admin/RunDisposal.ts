import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AUDIT_REQUESTS } from "../../engine/limit/HostBudget.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { Leases } from "../../engine/schedule/Leases.ts"
import { ArchiveStore } from "../../engine/store/ArchiveStore.ts"
import { DashboardStore } from "../../engine/store/DashboardStore.ts"
import { Moderation } from "../../engine/store/Moderation.ts"
import type { Run, RunError } from "../../engine/store/Run.ts"
import type { StoreUnavailable } from "../../engine/store/RunStore.ts"

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** Hides, ends and deletes runs with everything that hangs on them. To be called in a transaction. */
export class RunDisposal extends Context.Service<RunDisposal, {
  /** Takes a run out of the corpus and the dashboards, or puts it back. */
  readonly setHidden: (id: string, hidden: boolean) => Stored<void>
  /** Ends the runs of the site, and of those below it, that are not over; tells how many. */
  readonly end: (site: string, error: RunError) => Stored<number>
  /**
   * Deletes runs: what the database has of them, figures of dashboards, holds on quotas, and archives. Those come last;
   * where the transaction fails after that, runs are left without an archive, never an archive without its run.
   */
  readonly drop: (runs: ReadonlyArray<Pick<Run, "id" | "site">>) => Stored<void>
}>()("docgauge/server/admin/RunDisposal") {
  static readonly layer: Layer.Layer<RunDisposal, never, ArchiveStore | DashboardStore | Leases | Limits | Moderation> = Layer.effect(
    RunDisposal,
    Effect.gen(function*() {
      const archives = yield* ArchiveStore
      const dashboards = yield* DashboardStore
      const leases = yield* Leases
      const { hostBudget, siteQuota } = yield* Limits
      const moderation = yield* Moderation

      /** What each attempt sent is not known: it is taken to have used what it may. */
      const letGo = Effect.fnUntraced(function*({ attempts, id }: Run) {
        yield* leases.revoke(id)
        yield* hostBudget.settle(id, AUDIT_REQUESTS * attempts)
        yield* siteQuota.giveBack(id)
      })

      return {
        setHidden: (id, hidden) => Effect.andThen(moderation.setHidden(id, hidden), dashboards.dropResults),
        end: Effect.fnUntraced(function*(site, error) {
          const ended = yield* moderation.end(site, error)
          yield* Effect.forEach(ended, letGo, { discard: true })
          return ended.length
        }),
        drop: Effect.fnUntraced(function*(runs) {
          yield* moderation.drop(runs.map(({ id }) => id))
          if (runs.length > 0) yield* dashboards.dropResults
          yield* Effect.forEach(runs, ({ id }) => siteQuota.giveBack(id), { discard: true })
          yield* Effect.forEach(runs, archives.remove, { discard: true })
        })
      }
    })
  )
}
