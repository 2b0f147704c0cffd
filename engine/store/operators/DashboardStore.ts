import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { inTransaction, orUnavailable, ReadClient } from "../database/SqlDatabase.ts"
import { currentMicros, formatInstant, type Int } from "../database/ColumnValues.ts"
import type { Stored } from "../database/StoreUnavailable.ts"

/** The time span of a dashboard. */
type DashboardBucket = "30d" | "90d" | "12m"

/** A dashboard's stored definition. */
export interface Dashboard {
  readonly slug: string
  readonly title: string
  readonly isPublic: boolean
  /** JSON text, which the store does not parse. */
  readonly definition: string
}

/** A dashboard as it was read. */
export interface StoredDashboard extends Dashboard {
  /** Changes with the dashboard, and when runs that its figures may be of are removed. */
  readonly version: number
}

/** The computed figures of a dashboard for one bucket. */
export interface DashboardResult {
  /** JSON text, which the store does not parse. */
  readonly content: string
  /** RFC 3339. */
  readonly computedAt: string
}

/** Dashboards and their computed figures. */
export class DashboardStore extends Context.Service<
  DashboardStore,
  {
    readonly find: (slug: string) => Stored<StoredDashboard | null>
    /** By slug. */
    readonly list: Stored<ReadonlyArray<StoredDashboard>>
    /** Creates or replaces the dashboard with this slug. Figures computed for another title or definition are deleted. */
    readonly put: (dashboard: Dashboard) => Stored<void>
    /** Whether it existed. */
    readonly remove: (slug: string) => Stored<boolean>
    /** `null` until it has been computed. */
    readonly result: (slug: string, bucket: DashboardBucket) => Stored<DashboardResult | null>
    /** Stores the figures of a dashboard, unless since it was read it was deleted or changed, or figures were dropped: they may contain what was removed. */
    readonly keepResult: (of: StoredDashboard, bucket: DashboardBucket, content: string) => Stored<void>
    /** Deletes all computed figures, because the runs have changed. */
    readonly dropResults: Stored<void>
  }
>()("docgauge/store/DashboardStore") {
  /** For a service without a database, which has no dashboards. */
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
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = yield* ReadClient

      const put = Effect.fnUntraced(function* ({ definition, isPublic, slug, title }: Dashboard) {
        const now = yield* currentMicros
        const changed = sql`slug = ${slug} AND (definition <> ${definition} OR title <> ${title})`
        yield* dropResultsOf(sql, changed)
        yield* sql`
          INSERT INTO dashboards ${sql.insert({ slug, title, is_public: isPublic, definition, version: now, created_at: now, updated_at: now })}
          ON CONFLICT (slug) DO UPDATE SET title = excluded.title, is_public = excluded.is_public, definition = excluded.definition,
            updated_at = excluded.updated_at`
      })

      // PostgreSQL waits here for a transaction that drops figures and reads the version again; SQLite has one writer.
      const locked = sql.onDialectOrElse({ pg: () => sql`FOR SHARE`, orElse: () => sql`` })

      const keepResult = Effect.fnUntraced(function* (
        { slug, version }: StoredDashboard,
        bucket: DashboardBucket,
        content: string
      ) {
        const now = yield* currentMicros
        // PostgreSQL cannot infer the type of a selected parameter.
        yield* sql`
          INSERT INTO dashboard_results (dashboard, bucket, computed_at, content)
          SELECT serial, CAST(${bucket} AS text), CAST(${now} AS bigint), CAST(${content} AS text) FROM dashboards
          WHERE slug = ${slug} AND version = ${version} ${locked}
          ON CONFLICT (dashboard, bucket) DO UPDATE SET computed_at = excluded.computed_at, content = excluded.content`
      })

      return {
        find: (slug) =>
          orUnavailable(
            Effect.map(read<DashboardRow>`SELECT * FROM dashboards WHERE slug = ${slug}`, ([row]) =>
              row === undefined ? null : dashboardOf(row)
            )
          ),
        list: orUnavailable(
          Effect.map(read<DashboardRow>`SELECT * FROM dashboards ORDER BY slug`, (rows) => rows.map(dashboardOf))
        ),
        put: (dashboard) => orUnavailable(inTransaction(sql, put(dashboard))),
        remove: (slug) =>
          orUnavailable(
            Effect.map(sql`DELETE FROM dashboards WHERE slug = ${slug} RETURNING slug`, (rows) => rows.length > 0)
          ),
        result: (slug, bucket) =>
          orUnavailable(
            Effect.map(
              read<ResultRow>`
              SELECT content, computed_at FROM dashboard_results JOIN dashboards ON dashboards.serial = dashboard_results.dashboard
              WHERE slug = ${slug} AND bucket = ${bucket}`,
              ([row]) =>
                row === undefined ? null : { content: row.content, computedAt: formatInstant(Number(row.computed_at)) }
            )
          ),
        keepResult: (of, bucket, content) => orUnavailable(keepResult(of, bucket, content)),
        dropResults: orUnavailable(inTransaction(sql, dropResultsOf(sql, sql`TRUE`)))
      }
    })
  )
}

/** The versions first: this waits for those that are storing figures, which are deleted then, and makes others store none. */
const dropResultsOf = Effect.fnUntraced(function* (sql: SqlClient, which: Fragment) {
  yield* sql`UPDATE dashboards SET version = version + 1 WHERE ${which}`
  yield* sql`DELETE FROM dashboard_results WHERE dashboard IN (SELECT serial FROM dashboards WHERE ${which})`
})

interface DashboardRow {
  readonly version: Int
  readonly slug: string
  readonly title: string
  readonly is_public: boolean | number
  readonly definition: string
}

interface ResultRow {
  readonly content: string
  readonly computed_at: Int
}

const dashboardOf = ({ definition, is_public, slug, title, version }: DashboardRow): StoredDashboard => ({
  version: Number(version),
  slug,
  title,
  isPublic: Boolean(is_public),
  definition
})
