import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"

/**
 * Runs statements that change rows: on PostgreSQL as one statement, in one round trip, so that none may read what another one writes,
 * or change the same row.
 */
export const inOneRoundTrip = (
  sql: SqlClient,
  last: Statement<object>,
  ...others: ReadonlyArray<Statement<object>>
): Effect.Effect<void, SqlError> => {
  const asOne = () =>
    sql`WITH ${sql.csv(others.map((statement, index) => sql`${sql(`step_${index}`)} AS (${statement})`))} ${last}`
  const inTurn = (): Effect.Effect<void, SqlError> => Effect.all([...others, last], { discard: true })
  return sql.onDialectOrElse({ pg: (): Effect.Effect<void, SqlError> => Effect.asVoid(asOne()), orElse: inTurn })
}
