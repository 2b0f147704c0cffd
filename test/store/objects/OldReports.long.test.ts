import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as SecureRandom from "effect/crypto/SecureRandom"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { type Database, layerDatabase } from "../../../engine/store/Database.ts"
import { moveToFolder } from "../../../engine/store/archives/ArchiveMove.ts"
import { layerMovedReports, layerOldReports, OldReportsInterval } from "../../../engine/store/objects/OldReports.ts"
import { temporaryFolder } from "../../../engine/schedule/TemporaryFolders.ts"
import { layerS3, ObjectTimeout } from "../../../engine/store/objects/S3ObjectStore.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { layerSql } from "../../../engine/store/runs/SqlRunStore.ts"
import { dialectsOfSeveral } from "../Databases.ts"
import { audited, newRun, resultOf } from "../SampleRuns.ts"
import { type ObjectFault, type S3Server, startS3 } from "./S3Server.ts"

/** An object store of one test, gone with the scope. */
const ownServer = Effect.acquireRelease(
  Effect.promise(() => startS3()),
  (server) => Effect.promise(() => server.stop())
)

/**
 * A process that reads moved reports; with `moves` it moves those that are older than a day. `timeout`: how long a request may take, which
 * is long on a busy machine. `interval`: how often it looks.
 */
const processOn = (
  server: S3Server,
  address: Database,
  moves: boolean,
  timeout: "20 seconds" | "5 seconds" = "20 seconds",
  interval: "50 millis" | "6 seconds" = "50 millis"
) =>
  Layer.mergeAll(layerSql, moves ? layerOldReports(1) : Layer.empty, Moderation.layerSql).pipe(
    Layer.provide(layerMovedReports),
    Layer.provideMerge(layerS3(server.location)),
    Layer.provideMerge(layerDatabase(address)),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provide(
      Layer.mergeAll(
        Layer.succeed(OldReportsInterval, interval),
        Layer.succeed(ObjectTimeout, timeout),
        Logger.layer([])
      )
    ),
    Layer.fresh
  )

const DAYS_AGO = 3 * 86_400_000_000

/** A finished run, as if it had been accepted three days ago. */
const oldRun = Effect.fnUntraced(function* (host: string) {
  const sql = yield* SqlClient
  const run = yield* audited(newRun(host), 70)
  yield* sql`UPDATE runs SET started_at = started_at - ${DAYS_AGO} WHERE id = ${run.id}`
  return run
})

const isMoved = (id: string) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.map(
      sql<{
        readonly size: number
      }>`SELECT length(content) AS size FROM reports JOIN runs ON runs.serial = reports.run WHERE runs.id = ${id}`,
      ([row]) => Number(row?.size) === 0
    )
  )

const until = (what: string, condition: Effect.Effect<boolean, unknown, SqlClient>) =>
  Effect.timeoutOrElse(Effect.repeat(Effect.delay(condition, 25), { until: (holds) => holds }), {
    duration: "60 seconds",
    orElse: () => Effect.die(new Error(`never: ${what}`))
  })

const reportOf = (id: string) =>
  Effect.map(
    RunStore.use((store) => store.report(id)),
    (report) => report?.encoded ?? null
  )

const FAULTS: ReadonlyArray<ObjectFault> = [
  "answers_500",
  "hangs",
  "refuses_expired_credentials",
  "breaks_off_uploads",
  "changes_uploads",
  "changes_downloads"
]

for (const backend of dialectsOfSeveral) {
  describe.skipIf(!backend.available)(`reports of old runs on ${backend.name}`, { concurrent: true }, () => {
    const onDatabase = (
      name: string,
      test: (address: Database, server: S3Server) => Effect.Effect<void, unknown, Scope.Scope>
    ) =>
      it.live(
        name,
        () =>
          Effect.scoped(
            Effect.flatMap(Effect.all([backend.fresh, ownServer]), ([address, server]) => test(address, server))
          ),
        120_000
      )

    onDatabase(
      "move to the object store, and are read from there, byte for byte; others stay",
      Effect.fnUntraced(function* (address, server) {
        yield* Effect.gen(function* () {
          const [old, recent] = [yield* oldRun("old.dev"), yield* audited(newRun("recent.dev"), 70)]
          yield* until("moved", isMoved(old.id))
          yield* Effect.sleep(200)
          expect(yield* isMoved(recent.id)).toBe(false)
          expect(server.requests.filter((request) => request.startsWith("PUT") && request.includes(recent.id))).toEqual(
            []
          )
          for (const { id } of [old, recent]) expect(yield* reportOf(id)).toBe(resultOf(70).encoded)
          // A run that becomes old later is moved later.
          yield* (yield* SqlClient)`UPDATE runs SET started_at = started_at - ${DAYS_AGO} WHERE id = ${recent.id}`
          yield* until("moved later", isMoved(recent.id))
        }).pipe(Effect.provide(processOn(server, address, true)))
        // A process that moves none reads them, too.
        yield* Effect.gen(function* () {
          const [row] = yield* (yield* SqlClient)<{ readonly id: string }>`SELECT id FROM runs ORDER BY serial LIMIT 1`
          expect(yield* reportOf(row?.id ?? "")).toBe(resultOf(70).encoded)
        }).pipe(Effect.provide(processOn(server, address, false)))
      })
    )

    onDatabase(
      "are moved by one of two processes that start at once",
      Effect.fnUntraced(function* (address, server) {
        const other = yield* Layer.build(processOn(server, address, true, "20 seconds", "6 seconds"))
        yield* Effect.gen(function* () {
          const runs = yield* Effect.forEach(
            Array.from({ length: 10 }, (_, index) => `old${index}.dev`),
            oldRun
          )
          yield* until(
            "moved",
            Effect.map(
              Effect.forEach(runs, ({ id }) => isMoved(id)),
              (moved) => moved.every((each) => each)
            )
          )
          expect(
            server.requests.filter(
              (request) => request.startsWith("PUT") && runs.some(({ id }) => request.includes(id))
            )
          ).toHaveLength(10)
          for (const { id } of runs) expect(yield* Effect.provide(reportOf(id), other)).toBe(resultOf(70).encoded)
        }).pipe(Effect.provide(processOn(server, address, true, "20 seconds", "6 seconds")))
      })
    )

    onDatabase("are deleted in the object store with their runs", (address, server) =>
      Effect.gen(function* () {
        const old = yield* oldRun("old.dev")
        yield* until("moved", isMoved(old.id))
        yield* Moderation.use((moderation) => moderation.drop([old.id]))
        expect(yield* reportOf(old.id)).toBeNull()
        yield* until(
          "deleted",
          Effect.sync(() => server.requests.some((request) => request.startsWith("DELETE") && request.includes(old.id)))
        )
      }).pipe(Effect.provide(processOn(server, address, true)))
    )

    onDatabase(
      "go back to the database when they are moved there, and leave nothing in the object store",
      (address, server) =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const runs = yield* Effect.forEach(["a.dev", "b.dev"], oldRun)
          yield* until(
            "moved",
            Effect.map(
              Effect.forEach(runs, ({ id }) => isMoved(id)),
              (moved) => moved.every((each) => each)
            )
          )
          return { folder, runs }
        }).pipe(
          Effect.provide(processOn(server, address, true)),
          Effect.flatMap(({ folder, runs }) =>
            Effect.gen(function* () {
              const keysOf = () => server.keys().filter((key) => runs.some(({ id }) => key.includes(id)))
              expect(keysOf()).toHaveLength(2)
              const move = moveToFolder({ folder, keep: 2, days: null, totalBytes: 1024 ** 3 }, () => Effect.void)
              expect([yield* move, yield* move]).toEqual([
                { archives: 0, reports: 2 },
                { archives: 0, reports: 0 }
              ])
              expect(keysOf()).toEqual([])
              server.fault("answers_500")
              for (const { id } of runs) expect(yield* reportOf(id)).toBe(resultOf(70).encoded)
            }).pipe(Effect.provide(processOn(server, address, false)))
          )
        )
    )
  })
}

// How the object store fails is the same for every database.
describe.each(dialectsOfSeveral.filter(({ kind }) => kind === "SQLite"))(
  "reports of old runs on $name, while the object store fails",
  { concurrent: true },
  ({ fresh }) => {
    it.live.each(FAULTS)(
      "stay in the database and are moved later: %s",
      (fault) =>
        Effect.scoped(
          Effect.flatMap(Effect.all([fresh, ownServer]), ([address, server]) =>
            Effect.gen(function* () {
              server.fault(fault)
              const old = yield* oldRun("old.dev")
              yield* Effect.sleep(1_500)
              expect(yield* isMoved(old.id)).toBe(false)
              expect(yield* reportOf(old.id)).toBe(resultOf(70).encoded)
              server.fault("none")
              yield* until("moved", isMoved(old.id))
              server.fault(fault)
              // What cannot be read now is not said to be missing.
              if (fault !== "breaks_off_uploads" && fault !== "changes_uploads")
                expect(yield* Effect.flip(reportOf(old.id))).toMatchObject({ _tag: "StoreUnavailable" })
              server.fault("none")
              expect(yield* reportOf(old.id)).toBe(resultOf(70).encoded)
            }).pipe(Effect.provide(processOn(server, address, true, fault === "hangs" ? "5 seconds" : "20 seconds")))
          )
        ),
      120_000
    )
  }
)
