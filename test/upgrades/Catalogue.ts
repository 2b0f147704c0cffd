import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

interface Line {
  readonly line: string
}

/** A line for each column, index, constraint, function, trigger and sequence of PostgreSQL, and how tables are stored. */
const POSTGRES = `
  WITH ours AS (SELECT * FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
  SELECT format('%s.%s %s %s %s %s %s %s', relname, attname, format_type(atttypid, atttypmod), collname, attnotnull, attidentity, attstorage, pg_get_expr(adbin, adrelid)) AS line
    FROM ours JOIN pg_attribute ON attrelid = ours.oid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    WHERE relkind IN ('r', 'v') AND attnum > 0 AND NOT attisdropped
  UNION ALL SELECT pg_get_indexdef(oid) FROM ours WHERE relkind = 'i'
  UNION ALL SELECT format('%s %s %s', relname, reloptions, relkind) FROM ours WHERE relkind IN ('r', 'v', 'S')
  UNION ALL SELECT format('%s %s', conname, pg_get_constraintdef(pg_constraint.oid)) FROM pg_constraint JOIN ours ON conrelid = ours.oid
  UNION ALL SELECT pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger JOIN ours ON tgrelid = ours.oid WHERE NOT tgisinternal
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  ORDER BY line`

const SQLITE =
  "SELECT type || ' ' || name || ': ' || sql AS line FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY line"

/** The schema of a database as lines of text, which are the same only if the schema is. */
export const catalogue: Effect.Effect<ReadonlyArray<string>, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql.onDialectOrElse({
    pg: () => sql.unsafe<Line>(POSTGRES),
    orElse: () => sql.unsafe<Line>(SQLITE)
  })
  return rows.map(({ line }) => line)
})

interface Name {
  readonly name: string
}

/** All rows of a database, by table, in an order that does not depend on how they are stored. */
export const allRows: Effect.Effect<
  Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>,
  unknown,
  SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql.onDialectOrElse({
    pg: () =>
      sql.unsafe<Name>(
        "SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
      ),
    orElse: () =>
      sql.unsafe<Name>(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'"
      )
  })
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    Effect.gen(function* () {
      const [first = {}] = yield* sql.unsafe<object>(`SELECT * FROM "${name}" LIMIT 1`)
      const order = Object.keys(first).length > 1 ? "1, 2" : "1"
      return [
        name,
        yield* sql.unsafe<Readonly<Record<string, unknown>>>(`SELECT * FROM "${name}" ORDER BY ${order}`)
      ] as const
    })
  )
  return Object.fromEntries(rows)
})
