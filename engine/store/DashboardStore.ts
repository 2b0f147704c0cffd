import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { inTransaction, orUnavailable } from "./Availability.ts"
import { currentMicros, formatInstant } from "./Instant.ts"
import { ReadClient } from "./ReadClient.ts"
import type { Int } from "./RunRows.ts"
import type { StoreUnavailable } from "./RunStore.ts"

/** The span of time that a dashboard looks back over. */
export type DashboardBucket = "30d" | "90d" | "12m"

/** A dashboard as an operator provisioned it. */
export interface Dashboard {
  readonly slug: string
  readonly title: string
  readonly isPublic: boolean
  /** JSON text. The store does not read it. */
  readonly definition: string
}

/** What was computed of a dashboard for one bucket. */
export interface DashboardResult {
  /** JSON text. The store does not read it. */
  readonly content: string
  /** RFC 3339. */
  readonly computedAt: string
}

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** Dashboards and what was computed for them. */
export class DashboardStore extends Context.Service<DashboardStore, {
  readonly find: (slug: string) => Stored<Dashboard | null>
  /** By slug. */
  readonly list: Stored<ReadonlyArray<Dashboard>>
  /** Creates or changes the dashboard of this slug. What was computed for another title or definition is dropped. */
  readonly put: (dashboard: Dashboard) => Stored<void>
  /** Whether there was one. */
  readonly remove: (slug: string) => Stored<boolean>
  /** `null` until it has been computed. */
  readonly result: (slug: string, bucket: DashboardBucket) => Stored<DashboardResult | null>
  /** Keeps what was computed now of a dashboard; nothing where that has gone, or has become another meanwhile. */
  readonly keepResult: (of: Dashboard, bucket: DashboardBucket, content: string) => Stored<void>
  /** Drops whatever was computed: the runs that it was computed from are others now. */
  readonly dropResults: Stored<void>
}>()("docgauge/store/DashboardStore") {
  /** Without a database there are none. */
  static readonly layerEmpty: Layer.Layer<DashboardStore> = Layer.succeed(DashboardStore, {
    find: () => Effect.succeed(null),
    list: Effect.succeed([]),
    put: () => Effect.void,
    remove: () => Effect.succeed(false),
    result: () => Effect.succeed(null),
    keepResult: () => Effect.void,
    dropResults: Effect.void
  })

  static readonly layerSql: Layer.Layer<DashboardStore, never, SqlClient | ReadClient> = Layer.effect(
    DashboardStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const read = yield* ReadClient

      const put = Effect.fnUntraced(function*({ definition, isPublic, slug, title }: Dashboard) {
        const now = yield* currentMicros
        yield* sql`
          DELETE FROM dashboard_results
          WHERE dashboard IN (SELECT serial FROM dashboards WHERE slug = ${slug} AND (definition <> ${definition} OR title <> ${title}))`
        yield* sql`
          INSERT INTO dashboards ${sql.insert({ slug, title, is_public: isPublic, definition, created_at: now, updated_at: now })}
          ON CONFLICT (slug) DO UPDATE SET title = excluded.title, is_public = excluded.is_public, definition = excluded.definition,
            updated_at = excluded.updated_at`
      })

      const keepResult = Effect.fnUntraced(function*({ definition, slug, title }: Dashboard, bucket: DashboardBucket, content: string) {
        const now = yield* currentMicros
        // The type is said because PostgreSQL cannot tell that of a parameter that is selected.
        yield* sql`
          INSERT INTO dashboard_results (dashboard, bucket, computed_at, content)
          SELECT serial, CAST(${bucket} AS text), CAST(${now} AS bigint), CAST(${content} AS text) FROM dashboards
          WHERE slug = ${slug} AND title = ${title} AND definition = ${definition}
          ON CONFLICT (dashboard, bucket) DO UPDATE SET computed_at = excluded.computed_at, content = excluded.content`
      })

      return {
        find: (slug) =>
          orUnavailable(Effect.map(read<DashboardRow>`SELECT * FROM dashboards WHERE slug = ${slug}`, ([row]) => row === undefined ? null : dashboardOf(row))),
        list: orUnavailable(Effect.map(read<DashboardRow>`SELECT * FROM dashboards ORDER BY slug`, (rows) => rows.map(dashboardOf))),
        put: (dashboard) => orUnavailable(inTransaction(sql, put(dashboard))),
        remove: (slug) => orUnavailable(Effect.map(sql`DELETE FROM dashboards WHERE slug = ${slug} RETURNING slug`, (rows) => rows.length > 0)),
        result: (slug, bucket) =>
          orUnavailable(Effect.map(
            read<ResultRow>`
              SELECT content, computed_at FROM dashboard_results JOIN dashboards ON dashboards.serial = dashboard_results.dashboard
              WHERE slug = ${slug} AND bucket = ${bucket}`,
            ([row]) => row === undefined ? null : { content: row.content, computedAt: formatInstant(Number(row.computed_at)) }
          )),
        keepResult: (of, bucket, content) => orUnavailable(keepResult(of, bucket, content)),
        dropResults: Effect.asVoid(orUnavailable(sql`DELETE FROM dashboard_results`))
      }
    })
  )
}

interface DashboardRow {
  readonly slug: string
  readonly title: string
  readonly is_public: boolean | number
  readonly definition: string
}

interface ResultRow {
  readonly content: string
  readonly computed_at: Int
}

const dashboardOf = ({ definition, is_public, slug, title }: DashboardRow): Dashboard => ({ slug, title, isPublic: Boolean(is_public), definition })
