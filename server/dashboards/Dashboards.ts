import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import {
  type DashboardResult,
  DashboardStore,
  type StoredDashboard as Provisioned
} from "../../engine/store/operators/DashboardStore.ts"
import { ScheduleStore } from "../../engine/store/operators/ScheduleStore.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { type Bucket, DashboardBody, type DashboardSite } from "../api/DashboardBody.ts"
import { Forbidden, NotFound } from "../api/Errors.ts"
import { DashboardDefinition, Widgets } from "./Widgets.ts"

/** A public dashboard in the list of all. */
export interface ListedDashboard {
  readonly slug: string
  readonly title: string
  readonly sites: ReadonlyArray<string>
}

/** When each site was audited last, and when it is audited next by the operator's schedule, which names the URL of its newest run. */
const siteAudits = (
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

export class Dashboards extends Context.Service<
  Dashboards,
  {
    /** The public ones, by slug. */
    readonly list: Effect.Effect<ReadonlyArray<ListedDashboard>, StoreUnavailable>
    /** `null` while the figures are computed for the first time. */
    readonly read: (
      slug: string,
      bucket: Bucket
    ) => Effect.Effect<DashboardBody | null, NotFound | Forbidden | StoreUnavailable>
  }
>()("docgauge/server/Dashboards") {
  static readonly layer: Layer.Layer<Dashboards, never, DashboardStore | RunHistory | ScheduleStore | Widgets> =
    Layer.effect(
      Dashboards,
      Effect.gen(function* () {
        const store = yield* DashboardStore
        const [history, schedules] = [yield* RunHistory, yield* ScheduleStore]
        const widgets = yield* Widgets
        const work = yield* FiberSet.makeRuntime()
        const underWay = new Set<string>()

        const compute = Effect.fn("Dashboards.compute")(function* (provisioned: Provisioned, bucket: Bucket) {
          const { definition, slug, title } = provisioned
          const now = DateTime.formatIso(yield* DateTime.now)
          const decoded = yield* decodeDefinition(definition)
          const figures = yield* widgets.resolve(decoded, bucket)
          const sites = yield* siteAudits(history, schedules, decoded.sites ?? [])
          const dashboard: DashboardBody = { slug, title, bucket, generated_at: now, widgets: figures, sites }
          yield* store.keepResult(provisioned, bucket, JSON.stringify(dashboard))
        })

        /** Computes in the background, one fiber for each dashboard and bucket. */
        const refresh = (provisioned: Provisioned, bucket: Bucket) =>
          Effect.sync(() => {
            const key = `${bucket} ${provisioned.slug}`
            if (underWay.has(key)) return
            underWay.add(key)
            work(
              compute(provisioned, bucket).pipe(
                Effect.catchCause((cause) => Effect.logWarning("could not compute a dashboard", cause)),
                Effect.ensuring(
                  Effect.sync(() => {
                    underWay.delete(key)
                  })
                ),
                Effect.annotateLogs({ dashboard: provisioned.slug })
              )
            )
          })

        const listed = Effect.fnUntraced(function* ({
          definition,
          slug,
          title
        }: Provisioned): Effect.fn.Return<ListedDashboard> {
          const { sites = [] } = yield* Effect.orDie(decodeDefinition(definition))
          return { slug, title, sites }
        })

        return {
          list: Effect.flatMap(store.list, (all) =>
            Effect.forEach(
              all.filter(({ isPublic }) => isPublic),
              listed
            )
          ),
          read: Effect.fnUntraced(function* (slug, bucket) {
            // PostgreSQL refuses texts with a NUL, which no dashboard has in its slug.
            const provisioned = slug.includes("\0") ? null : yield* store.find(slug)
            if (provisioned === null)
              return yield* new NotFound({ error: "There is no such dashboard.", code: "not_found" })
            if (!provisioned.isPublic) return yield* new Forbidden({ error: "This dashboard is not public." })
            const result = yield* store.result(slug, bucket)
            if (result === null || isStale(result, yield* Clock.currentTimeMillis)) yield* refresh(provisioned, bucket)
            return result === null ? null : yield* Effect.orDie(decodeDashboard(result.content))
          })
        }
      })
    )
}

const decodeDefinition = Schema.decodeEffect(Schema.fromJsonString(DashboardDefinition))
const decodeDashboard = Schema.decodeEffect(Schema.fromJsonString(DashboardBody))

/** Age in milliseconds at which figures are recomputed; the old ones are shown meanwhile. */
const FRESH_MS = 5 * 60 * 1_000

const isStale = ({ computedAt }: DashboardResult, now: number): boolean => now - Date.parse(computedAt) > FRESH_MS
