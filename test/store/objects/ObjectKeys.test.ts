import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql/SqlClient"
import { layerDatabase } from "../../../engine/store/Database.ts"
import { inTransaction } from "../../../engine/store/database/Availability.ts"
import { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { makeObjectDeletion } from "../../../engine/store/objects/ObjectDeletion.ts"
import { dropObjects, noteKept, noteSent } from "../../../engine/store/objects/ObjectRows.ts"
import { ObjectStore } from "../../../engine/store/objects/ObjectStore.ts"
import { layerMovedReports } from "../../../engine/store/objects/OldReports.ts"
import { makeReportMove, moveReportsBack } from "../../../engine/store/objects/ReportMove.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { layerSql } from "../../../engine/store/runs/SqlRunStore.ts"
import { dialectsOfSeveral } from "../Databases.ts"
import { audited, newRun, resultOf } from "../SampleRuns.ts"

/** Objects in memory; what `held` does comes before each write and deletion. */
const inMemory = (held: (operation: "put" | "remove", key: string) => Effect.Effect<void, StoreUnavailable>) =>
  Layer.sync(ObjectStore, () => {
    const contents = new Map<string, Uint8Array>()
    return {
      put: (key, content) =>
        Effect.andThen(
          held("put", key),
          Effect.sync(() => {
            contents.set(key, content)
          })
        ),
      read: (key) => Effect.sync(() => contents.get(key) ?? null),
      remove: (key) =>
        Effect.andThen(
          held("remove", key),
          Effect.sync(() => {
            contents.delete(key)
          })
        )
    }
  })

const DAYS_AGO = 3 * 86_400_000_000

const oldRun = Effect.gen(function* () {
  const sql = yield* SqlClient
  const run = yield* audited(newRun("docs.example.com"), 70)
  yield* sql`UPDATE runs SET started_at = started_at - ${DAYS_AGO} WHERE id = ${run.id}`
  return run
})

const moveReports = Effect.flatten(makeReportMove(1))

const deleteDropped = Effect.flatten(makeObjectDeletion)

const reportOf = (id: string) =>
  Effect.map(
    RunStore.use((store) => store.report(id)),
    (report) => report?.encoded
  )

const states = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(sql<{ readonly state: string }>`SELECT state FROM objects ORDER BY state`, (rows) =>
    rows.map(({ state }) => state)
  )
)

describe.each(dialectsOfSeveral.filter(({ available }) => available))(
  "an object of a run on $name",
  ({ fresh, kind }) => {
    const on = <E>(
      test: Effect.Effect<
        void,
        E,
        RunStore | Moderation | SqlClient | ObjectStore | Layer.Success<ReturnType<typeof layerDatabase>>
      >,
      held: Parameters<typeof inMemory>[0] = () => Effect.void
    ) =>
      Effect.scoped(
        Effect.flatMap(fresh, (address) =>
          Effect.provide(
            test,
            Layer.mergeAll(layerSql, Moderation.layerSql).pipe(
              Layer.provide(layerMovedReports),
              Layer.provideMerge(inMemory(held)),
              Layer.provideMerge(layerDatabase(address)),
              Layer.provide(SecureRandom.layerWebCrypto)
            )
          )
        )
      )

    it.live("that is sent again while the one before it is being deleted stays", () => {
      const [begun, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
      return on(
        Effect.gen(function* () {
          const { id } = yield* oldRun
          yield* moveReports
          yield* moveReportsBack
          const deletion = yield* Effect.forkChild(deleteDropped)
          yield* begun.await
          expect(yield* moveReports).toBe(1)
          yield* end.open
          yield* Fiber.join(deletion)
          expect(yield* reportOf(id)).toBe(resultOf(70).encoded)
          expect(yield* states).toEqual(["kept"])
        }),
        (operation) => (operation === "remove" ? Effect.andThen(begun.open, end.await) : Effect.void)
      )
    })

    it.live("is kept once if two processes send it at the same time", () => {
      const both = Latch.makeUnsafe()
      let sent = 0
      return on(
        Effect.gen(function* () {
          const { id } = yield* oldRun
          const moved = yield* Effect.all([moveReports, moveReports], { concurrency: 2 })
          expect(moved.reduce((sum, count) => sum + count)).toBe(1)
          yield* deleteDropped
          expect(yield* reportOf(id)).toBe(resultOf(70).encoded)
          expect(yield* states).toEqual(["kept"])
        }),
        (operation) =>
          operation === "put" && ++sent === 2 ? both.open : operation === "put" ? both.await : Effect.void
      )
    })

    it.live("replaces one of the same run", () =>
      on(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { id } = yield* oldRun
          for (const [key, kind, attempt] of [
            ["a", "report", 2],
            ["b", "failure", 1],
            ["c", "document", 1],
            ["d", "document", 1]
          ] as const) {
            yield* noteSent(sql, id, { kind, attempt, bytes: 1, sha256: key }, key)
            expect(yield* inTransaction(sql, noteKept(sql, id, key))).toBe(true)
          }
          expect(yield* states).toEqual(["dropped", "dropped", "kept", "kept"])
        })
      )
    )

    it.live("is deleted although a hundred that were dropped before it cannot be", () =>
      on(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { id } = yield* oldRun
          for (let index = 0; index <= 100; index++) {
            const key = index < 100 ? `stuck-${index}` : "free"
            yield* noteSent(sql, id, { kind: "report", attempt: index, bytes: 1, sha256: key }, key)
            yield* dropObjects(sql, [key])
          }
          yield* Effect.flip(deleteDropped)
          yield* Effect.flip(deleteDropped)
          expect((yield* states).length).toBe(100)
        }),
        (operation, key) =>
          operation === "remove" && key.startsWith("stuck")
            ? Effect.fail(new StoreUnavailable({ cause: "it is locked" }))
            : Effect.void
      )
    )

    it.live.skipIf(kind === "SQLite")("that is being noted while its run is deleted is dropped", () =>
      on(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { id } = yield* oldRun
          const [noted, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
          const note = noteSent(sql, id, { kind: "report", attempt: 1, bytes: 1, sha256: "" }, "archives/one")
          const noting = yield* Effect.forkChild(
            inTransaction(
              sql,
              note.pipe(
                Effect.tap(() => noted.open),
                Effect.tap(() => end.await)
              )
            )
          )
          yield* noted.await
          const deletion = yield* Effect.forkChild(Moderation.use((moderation) => moderation.drop([id])))
          yield* Effect.sleep(300)
          yield* end.open
          yield* Fiber.join(deletion)
          expect(yield* Fiber.join(noting)).toBe("archives/one")
          expect(yield* noteKept(sql, id, "archives/one")).toBe(false)
          expect(yield* states).toEqual(["dropped"])
        })
      )
    )
  }
)
