import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { writeFileSync } from "node:fs"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import {
  type Database,
  DatabaseError,
  layerDatabase,
  nodeSqlite,
  packageSqlite,
  postgresAt,
  sqliteAt
} from "../../../engine/store/Database.ts"
import { MIGRATIONS } from "../../../engine/store/database/Migrations.ts"
import { migrate } from "../../../engine/store/database/Schema.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { backends, sqliteBackends, storeAt } from "../Databases.ts"
import { audited, newRun } from "../SampleRuns.ts"

/** The bare client, without a schema. */
const clientAt = (address: Database) => Effect.sync(() => address.clients())

const exists = (table: string) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.match(sql`SELECT 1 FROM ${sql(table)}`, { onFailure: () => false, onSuccess: () => true })
  )

describe("the schema", () => {
  for (const backend of backends) {
    describe.skipIf(!backend.available)(`on ${backend.name}`, () => {
      it.live("is created once if several processes start at the same time", () =>
        Effect.scoped(
          Effect.gen(function* () {
            const address = yield* backend.empty
            yield* Effect.forEach([1, 2, 3, 4], () => Effect.provide(Effect.void, layerDatabase(address)), {
              concurrency: 4
            })
            const applied = Effect.flatMap(SqlClient, (sql) => sql`SELECT migration_id, name FROM docgauge_versions`)
            expect(yield* Effect.provide(applied, layerDatabase(address))).toEqual(
              Object.keys(MIGRATIONS).map((name, index) => ({
                migration_id: index + 1,
                name: name.slice("0001_".length)
              }))
            )
          })
        )
      )

      it.live("of an existing database is not changed", () =>
        Effect.scoped(
          Effect.gen(function* () {
            const address = yield* backend.empty
            const run = yield* Effect.provide(audited(newRun("a.example.com"), 70), storeAt(address))
            yield* Effect.provide(
              Effect.gen(function* () {
                yield* migrate
                const [store, corpus] = [yield* RunStore, yield* Corpus]
                expect(yield* store.find(run.id)).toEqual(run)
                yield* corpus.fold
                expect(yield* corpus.summary).toMatchObject({ sites: 1, runs: 1, averageScore: 70 })
              }),
              storeAt(address)
            )
          })
        )
      )

      it.live("of a newer version is refused in one line that says what is needed, and is not changed", () =>
        Effect.scoped(
          Effect.gen(function* () {
            const address = yield* backend.empty
            yield* Effect.provide(
              Effect.flatMap(
                SqlClient,
                (sql) => sql`INSERT INTO docgauge_versions (migration_id, name) VALUES (99, 'future')`
              ),
              layerDatabase(address)
            )
            const error = yield* Effect.flip(Effect.provide(Effect.void, layerDatabase(address)))
            expect(error.message).toMatch(
              / cannot be used: a newer version of docgauge has changed it: its schema is 99 \(future\), and this version knows \d+\. Start a version that knows schema 99$/
            )
          })
        )
      )

      it.live("is created completely or not at all", () =>
        Effect.scoped(
          Effect.gen(function* () {
            const address = yield* backend.empty
            yield* Effect.provide(
              Effect.gen(function* () {
                const sql = yield* SqlClient
                // Collides with a table of the schema, after others have been created.
                yield* sql`CREATE TABLE tlds (mine text)`
                expect(yield* Effect.flip(migrate)).toMatchObject({ _tag: "MigrationError" })
                expect([yield* exists("tlds"), yield* exists("runs"), yield* exists("corpus")]).toEqual([
                  true,
                  false,
                  false
                ])
                yield* sql`DROP TABLE tlds`
                yield* migrate
                expect([yield* exists("runs"), yield* exists("corpus")]).toEqual([true, true])
              }),
              yield* clientAt(address)
            )
          })
        )
      )

      it.live(
        "refuses a database that another program uses in one line that says what to do, and does not change it",
        () =>
          Effect.scoped(
            Effect.gen(function* () {
              const address = yield* backend.empty
              const client = yield* clientAt(address)
              yield* Effect.provide(
                Effect.flatMap(SqlClient, (sql) => sql`CREATE TABLE tlds (theirs text)`),
                client
              )
              const error = yield* Effect.flip(Effect.provide(Effect.void, layerDatabase(address)))
              expect(error.message).toMatch(
                /^The (PostgreSQL )?database( \S+)? cannot be used: .*\btlds\b.* already exists, and docgauge did not make it\. Set DOCGAUGE_DATABASE_URL to a database of its own$/
              )
              expect(yield* Effect.provide(exists("runs"), client)).toBe(false)
            })
          )
      )

      it.live.each(["docgauge_migrations", "docgauge_schema"])(
        "refuses a database of an early development version (%s) in one line, and does not change it",
        (table) =>
          Effect.scoped(
            Effect.gen(function* () {
              const address = yield* backend.empty
              const client = yield* clientAt(address)
              yield* Effect.provide(
                Effect.flatMap(SqlClient, (sql) => sql`CREATE TABLE ${sql(table)} (migration_id integer)`),
                client
              )
              const error = yield* Effect.flip(Effect.provide(Effect.void, layerDatabase(address)))
              expect(error.message).toMatch(
                /^The (PostgreSQL )?database( \S+)? cannot be used: a development version of 26 November 2026 or before created it, and its tables are not converted\. Set DOCGAUGE_DATABASE_URL to a new database, or delete this one$/
              )
              expect(yield* Effect.provide(exists("runs"), client)).toBe(false)
            })
          )
      )
    })
  }
})

describe("a database that cannot be used", () => {
  const failure = (address: Parameters<typeof layerDatabase>[0]) =>
    Effect.flip(Effect.provide(Effect.void, layerDatabase(address)))

  it.live.each(sqliteBackends)("is reported in one line by $name: a file that is not a database", ({ fresh }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* fresh
        const path = address._tag === "Sqlite" ? address.path : ""
        writeFileSync(
          path,
          "this is no database, and long enough to be taken for the head of one, which has a hundred bytes or more".repeat(
            9
          )
        )
        const error = yield* failure(address)
        expect(error).toBeInstanceOf(DatabaseError)
        expect(error.message).toBe(`The database ${path} cannot be used: SQLITE_NOTADB: file is not a database`)
      })
    )
  )

  it.live.each([packageSqlite, nodeSqlite])("is reported in one line: a folder (%#)", (driver) =>
    Effect.map(failure(sqliteAt("/", driver)), ({ message }) =>
      expect(message).toBe("The database / cannot be used: SQLITE_CANTOPEN: unable to open database file")
    )
  )

  it.live("is reported in one line without the password: a server that does not exist", () =>
    Effect.map(failure(postgresAt("postgres://u:hush@127.0.0.1:1/x")), ({ message }) => {
      expect(message).toMatch(/^The PostgreSQL database cannot be used: .*ECONNREFUSED.*$/)
      expect(message).not.toContain("hush")
    })
  )
})
