import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createCorpus } from "./0002_corpus.ts"
import { createDashboards } from "./0004_dashboards.ts"
import { createLimitsAndLeases } from "./0005_limits_and_leases.ts"
import { createOAuth } from "./0006_oauth.ts"
import { createAdmin } from "./0007_admin.ts"
import { createRecentSearch } from "./0008_recent_search.ts"
import { addGrantNetwork } from "./0010_grant_network.ts"
import { createRuns } from "./0001_runs.ts"
import { createSiteSearch } from "./0003_site_search.ts"

/**
 * Every change of the database, by its number. To add one, write `NNNN_what.ts` with the next free number and add a line
 * here. A number below one that has been released would never run: numbers only rise. A migration adds; it never drops
 * or rewrites what an older version still reads.
 */
export const migrations: Readonly<Record<`${number}_${string}`, Effect.Effect<void, unknown, SqlClient>>> = {
  "0001_runs": createRuns,
  "0002_corpus": createCorpus,
  "0003_site_search": createSiteSearch,
  "0004_dashboards": createDashboards,
  "0005_limits_and_leases": createLimitsAndLeases,
  "0006_oauth": createOAuth,
  "0007_admin": createAdmin,
  "0008_recent_search": createRecentSearch,
  "0010_grant_network": addGrantNetwork
}

/**
 * Brings the database up to date, all or nothing. Others that start at the same time wait: PostgreSQL locks the table of
 * migrations, SQLite's transactions are immediate.
 */
export const migrate: Effect.Effect<void, Migrator.MigrationError | SqlError, SqlClient> = Effect.asVoid(
  Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "docgauge_migrations" })
)
