import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * What PostgreSQL does in one round trip to lock a site and read its figures. They are read by a statement of their own, because one that
 * waited for the lock sees them as they were before. `CorpusFigures.ts` calls it.
 */
export const createSiteFunctions = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`
  CREATE OR REPLACE FUNCTION docgauge_locked_figures (of_site bigint) RETURNS SETOF site_figures LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM sites WHERE serial = of_site FOR NO KEY UPDATE;
    RETURN QUERY SELECT * FROM site_figures WHERE site = of_site;
  END $$`)
