import * as Effect from "effect/Effect"
import type { ScheduleStore } from "../../engine/store/operators/ScheduleStore.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import type { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import type { DashboardSite } from "../api/DashboardBody.ts"

/** When each site was audited last, and when it is audited next by the operator's schedule, which names the URL of its newest run. */
export const siteAudits = (
  history: RunHistory["Service"],
  schedules: ScheduleStore["Service"],
  sites: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<DashboardSite>, StoreUnavailable> =>
  Effect.forEach(
    sites,
    Effect.fnUntraced(function* (site) {
      const newest = yield* history.newest(site)
      const schedule = yield* schedules.findUrl(newest?.url ?? `https://${site}`)
      return { base_url: site, latest_run_at: newest?.startedAt ?? null, next_audit_at: schedule?.nextAt ?? null }
    })
  )
