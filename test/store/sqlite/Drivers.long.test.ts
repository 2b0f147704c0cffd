import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { openSqlite } from "../../../engine/store/sqlite/SqliteClient.ts"
import { nodeSqlite, packageSqlite, sqliteAt, sqliteDriver } from "../../../engine/store/Database.ts"

/** Seconds of work for SQLite. */
const SLOW = (rows: number): string =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT COUNT(*) AS c FROM n`

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docgauge-drivers-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const drivers = [
  ["sqlite3", packageSqlite],
  ["node:sqlite", nodeSqlite]
] as const

describe.each(drivers)("SQLite by %s", (name, driver) => {
  const opened = Effect.gen(function* () {
    const path = join(yield* folder, "runs.db")
    return { path, connection: yield* openSqlite(yield* driver, path, "write") }
  })

  it.effect("is that driver", () => Effect.map(driver, (made) => expect(made.name).toBe(name)))

  it.live("fails what comes after its end, instead of never answering", () =>
    Effect.gen(function* () {
      const { connection } = yield* Effect.scoped(opened)
      for (const statement of [connection.execute, connection.executeUnprepared]) {
        const error = yield* Effect.flip(statement("SELECT 1", [], undefined))
        expect(error.message).toContain("the connection is closed")
      }
    })
  )

  it.live("answers what began before its end", () =>
    Effect.gen(function* () {
      const began = yield* Effect.scoped(
        Effect.gen(function* () {
          const { connection } = yield* opened
          return yield* Effect.forEach([1, 2, 3], (rows) =>
            Effect.forkDetach(connection.execute(SLOW(rows * 1_000), [], undefined), { startImmediately: true })
          )
        })
      )
      expect(yield* Effect.forEach(began, Fiber.join)).toEqual([[{ c: 1_000 }], [{ c: 2_000 }], [{ c: 3_000 }]])
    })
  )

  it.live("keeps and gives back values of every type alike", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { connection } = yield* opened
        yield* connection.executeUnprepared(
          "CREATE TABLE kept (any, big bigint, flag boolean, real double precision, words text, bytes blob)",
          [],
          undefined
        )
        const bytes = Buffer.from("pool of bytes").subarray(5)
        yield* connection.execute(
          "INSERT INTO kept VALUES (?, ?, ?, ?, ?, ?)",
          [7, 1_763_856_000_000_000, true, 0.5, "wörds\0", bytes],
          undefined
        )
        yield* connection.execute(
          "INSERT INTO kept VALUES (?, ?, ?, ?, ?, ?)",
          [undefined, -Number.MAX_SAFE_INTEGER, false, 1e300, "", Buffer.alloc(0)],
          undefined
        )
        const [first, second] = yield* connection.execute(
          "SELECT *, typeof(any) AS type, ? / 2 AS half FROM kept",
          [7],
          undefined
        )
        expect({ ...first, bytes: Buffer.from(first.bytes).toString() }).toEqual({
          any: 7,
          big: 1_763_856_000_000_000,
          flag: 1,
          real: 0.5,
          words: "wörds\0",
          bytes: " of bytes".slice(1),
          type: "integer",
          half: 3
        })
        expect({ ...second, bytes: second.bytes.length }).toEqual({
          any: null,
          big: -Number.MAX_SAFE_INTEGER,
          flag: 0,
          real: 1e300,
          words: "",
          bytes: 0,
          type: "null",
          half: 3
        })
        expect(yield* connection.executeValues("SELECT flag, real FROM kept LIMIT ?", [1])).toEqual([[1, 0.5]])
      })
    )
  )

  it.live("names its errors alike", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { connection, path } = yield* opened
        yield* connection.executeUnprepared(
          "CREATE TABLE kept (id integer PRIMARY KEY, words text UNIQUE)",
          [],
          undefined
        )
        const messageOf = (sql: string) =>
          Effect.map(Effect.flip(connection.execute(sql, [], undefined)), ({ message, reason }) => [
            reason._tag,
            message
          ])
        yield* connection.execute("INSERT INTO kept VALUES (1, 'a')", [], undefined)
        expect(yield* messageOf("INSERT INTO kept VALUES (2, 'a')")).toEqual([
          "ConstraintError",
          "SQLite: SQLITE_CONSTRAINT: UNIQUE constraint failed: kept.words"
        ])
        expect(yield* messageOf("SELEC 1")).toEqual([
          "UnknownError",
          'SQLite: SQLITE_ERROR: near "SELEC": syntax error'
        ])
        expect(yield* messageOf("SELECT * FROM gone")).toEqual([
          "UnknownError",
          "SQLite: SQLITE_ERROR: no such table: gone"
        ])
        const reader = yield* openSqlite(yield* driver, path, "read")
        const refused = yield* Effect.flip(reader.execute("DELETE FROM kept", [], undefined))
        expect(refused.message).toBe("SQLite: SQLITE_READONLY: attempt to write a readonly database")
        const missing = yield* Effect.flip(openSqlite(yield* driver, join(path, "none"), "read"))
        expect([missing.reason._tag, missing.message]).toEqual([
          "ConnectionError",
          "SQLite: SQLITE_CANTOPEN: unable to open database file"
        ])
      })
    )
  )

  it.live("opens a new file several times at once", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const parent = yield* folder
        for (let round = 0; round < 3; round++) {
          const { clients } = sqliteAt(join(parent, `${round}.db`), driver)
          yield* Effect.all(
            Array.from({ length: 4 }, () => Layer.build(Layer.fresh(clients()))),
            { concurrency: "unbounded" }
          ).pipe(Effect.scoped)
        }
      })
    )
  )

  it.live("waits for the lock of another connection as long as it is told", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { connection, path } = yield* opened
        yield* connection.executeUnprepared("CREATE TABLE kept (id integer)", [], undefined)
        const other = yield* openSqlite(yield* driver, path, "write")
        yield* other.executeUnprepared("PRAGMA busy_timeout = 50", [], undefined)
        yield* connection.executeUnprepared("BEGIN IMMEDIATE", [], undefined)
        const busy = yield* Effect.flip(other.executeUnprepared("BEGIN IMMEDIATE", [], undefined))
        expect([busy.reason._tag, busy.message]).toEqual([
          "LockTimeoutError",
          "SQLite: SQLITE_BUSY: database is locked"
        ])
        yield* other.executeUnprepared("PRAGMA busy_timeout = 5000", [], undefined)
        const waiting = yield* Effect.forkChild(other.executeUnprepared("BEGIN IMMEDIATE", [], undefined))
        yield* Effect.sleep(100)
        yield* connection.executeUnprepared("COMMIT", [], undefined)
        yield* Fiber.join(waiting)
      })
    )
  )

  it.live("keeps more statements than it prepares, and stays correct", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { connection } = yield* opened
        for (let round = 0; round < 2; round++) {
          for (let number = 0; number < 300; number++) {
            expect(yield* connection.executeValues(`SELECT ${number} + ?`, [1])).toEqual([[number + 1]])
          }
        }
      })
    )
  )

  it.live("leaves this thread free while a statement runs, and ends it before the file is closed", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { path } = yield* Effect.scoped(
          Effect.gen(function* () {
            const { connection, path } = yield* opened
            const slow = yield* Effect.forkChild(connection.execute(SLOW(2_000_000), [], undefined), {
              startImmediately: true
            })
            yield* Effect.sleep(1)
            expect(slow.pollUnsafe()).toBe(undefined)
            return { path }
          })
        )
        expect(path).not.toBe("")
      })
    )
  )
})

/** Runs a program in a process of its own, with modules that are loaded before it. */
const run = (
  code: string,
  preload: ReadonlyArray<string> = []
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> => {
  const home = mkdtempSync(join(tmpdir(), "docgauge-driver-"))
  writeFileSync(
    join(home, "program.mjs"),
    `
    import * as Effect from ${JSON.stringify(import.meta.resolve("effect/Effect"))}
    import { openSqlite } from ${JSON.stringify(import.meta.resolve("../../../engine/store/sqlite/SqliteClient.ts"))}
    import { nodeSqlite, sqliteDriver } from ${JSON.stringify(import.meta.resolve("../../../engine/store/Database.ts"))}
    ${code}`
  )
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [...preload.flatMap((module) => ["--import", module]), "program.mjs"],
      { cwd: home },
      (_, stdout, stderr) => {
        rmSync(home, { recursive: true, force: true })
        done({ code: child.exitCode, stdout, stderr })
      }
    )
  })
}

describe("the driver of a database", () => {
  it.effect("is the package sqlite3 where it is installed", () =>
    Effect.map(sqliteDriver, ({ name }) => expect(name).toBe("sqlite3"))
  )

  it("is Node's own SQLite where the package or its native part is missing", async () => {
    const { stdout } = await run("console.log((await Effect.runPromise(sqliteDriver)).name)", [
      import.meta.resolve("../../harness/WithoutSqlite3.ts")
    ])
    expect(stdout).toBe("node:sqlite\n")
  })

  it("is named with what to install, where there is none", () => {
    expect(sqliteAt("runs.db").adviceOn("SQLite: this Node.js was built without SQLite")).toContain(
      "npm install sqlite3"
    )
  })
})

describe("a process that uses node:sqlite", () => {
  const program = (then: string): string => `
    const use = Effect.gen(function*() {
      const connection = yield* openSqlite(yield* nodeSqlite, "runs.db", "write")
      ${then}
    })
    Effect.runFork(Effect.scoped(use))`

  it("ends by itself once nothing is asked, without a warning of Node's", async () => {
    const ended = await run(
      program('console.log((yield* connection.executeValues("SELECT 42", []))[0][0]); yield* Effect.never')
    )
    expect(ended).toEqual({ code: 0, stdout: "42\n", stderr: "" })
  })

  it("that is told to end waits for the statement that runs, and ends with its code", async () => {
    const ended = await run(
      program(`
      yield* Effect.forkChild(connection.executeValues(${JSON.stringify(SLOW(300_000))}, []), { startImmediately: true })
      yield* Effect.forkChild(connection.executeUnprepared("CREATE TABLE never (id integer)", [], undefined), { startImmediately: true })
      yield* Effect.sleep(50)
      console.log("ending")
      process.exit(7)`)
    )
    expect(ended).toEqual({ code: 7, stdout: "ending\n", stderr: "" })
  })
})
