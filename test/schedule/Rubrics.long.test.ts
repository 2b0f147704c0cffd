import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { isDeepStrictEqual } from "node:util"
import { WorkerRubric } from "../../engine/schedule/AuditQueue.ts"
import { Scheduler } from "../../engine/schedule/Scheduler.ts"
import { postgres } from "../store/Databases.ts"
import {
  audited,
  awaitDone,
  find,
  idOf,
  makeGatedAuditor,
  onDatabase,
  start,
  submit,
  until,
  wanted
} from "./TestService.ts"

const MINUTE_MS = 61_000

describe.skipIf(!postgres.available)("during a deploy, in PostgreSQL, runs", { concurrent: true }, () => {
  /** Starts workers of these rubrics, each a process, on one database. `wanted` accepts runs under `sha256:rubric`. */
  const workers = Effect.fnUntraced(function* (...rubrics: ReadonlyArray<string>) {
    const address = yield* postgres.fresh
    const judged: Array<readonly [rubric: string, digest: string]> = []
    const processes = yield* Effect.forEach(rubrics, (rubric) =>
      start(
        onDatabase(address, {
          audit: (run) =>
            Effect.sync(() => {
              judged.push([rubric, run.rubricDigest])
              return audited(run)
            }),
          schedule: { concurrency: 2 }
        }).pipe(Layer.provide(Layer.succeed(WorkerRubric, rubric)))
      )
    )
    const [first] = processes
    if (first === undefined) return yield* Effect.die("no workers")
    return { first, judged }
  })

  it.live("are left to a worker that has the rubric that they were accepted under", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { first, judged } = yield* workers("sha256:other", "sha256:rubric")
        for (const host of ["a.dev", "b.dev", "c.dev"])
          yield* first.here(Effect.flatMap(submit(host), (submission) => awaitDone(idOf(submission))))
        assert.deepStrictEqual(
          judged,
          Array.from({ length: 3 }, () => ["sha256:rubric", "sha256:rubric"])
        )
      })
    )
  )

  it.live(
    "whose rubric no live worker has wait for a minute, and are then judged by the rubric in force, as they say",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { first, judged } = yield* workers("sha256:other")
          const id = idOf(yield* first.here(submit("a.dev")))
          yield* Effect.sleep(2_500)
          assert.deepInclude(yield* first.here(find(id)), { status: "pending" })
          const sql = yield* first.here(SqlClient)
          // As if it had been accepted a minute ago, while a worker of that rubric was still live.
          yield* sql`UPDATE runs SET queued_at = queued_at - ${MINUTE_MS}`
          assert.deepInclude(yield* first.here(awaitDone(id)), { status: "done", rubricDigest: "sha256:other" })
          assert.deepStrictEqual(judged, [["sha256:other", "sha256:other"]])
          const again = yield* first.here(
            Scheduler.use((scheduler) => scheduler.submit({ ...wanted("a.dev"), rubricDigest: "sha256:other" }, []))
          )
          assert.deepInclude(again, { _tag: "Replayed" })
        })
      )
  )

  it.live("that have waited for a minute are left to a live worker that has their rubric", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { first, judged } = yield* workers("sha256:other")
        const sql = yield* first.here(SqlClient)
        const announce = (seenAt: number) => sql`
        INSERT INTO workers (worker, rubric_digest, seen_at) VALUES ('busy', 'sha256:rubric', ${seenAt}) ON CONFLICT (worker) DO UPDATE SET seen_at = excluded.seen_at`
        yield* announce(Date.now())
        const id = idOf(yield* first.here(submit("a.dev")))
        yield* sql`UPDATE runs SET queued_at = queued_at - ${MINUTE_MS}`
        yield* Effect.sleep(2_500)
        assert.deepInclude(yield* first.here(find(id)), { status: "pending" })
        yield* announce(0)
        yield* until(Effect.map(first.here(find(id)), (run) => run?.status === "done"))
        assert.deepStrictEqual(judged, [["sha256:other", "sha256:other"]])
      })
    )
  )

  it.live("are no longer left to a worker that takes none, though it still finishes an audit", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { audit, begun, gate } = makeGatedAuditor()
        const { here, stop } = yield* start(
          onDatabase(yield* postgres.fresh, { audit, schedule: { graceMs: 60_000 } }).pipe(
            Layer.provide(Layer.succeed(WorkerRubric, "sha256:rubric"))
          )
        )
        yield* here(submit("a.dev"))
        yield* until(Effect.sync(() => begun.length === 1))
        const sql = yield* here(SqlClient)
        const announced = sql`SELECT seen_at FROM workers`
        const stopping = yield* Effect.forkChild(stop)
        // Announced with each heartbeat, which is every 200 ms.
        yield* until(
          Effect.gen(function* () {
            const last = yield* announced
            yield* Effect.sleep(1_000)
            return isDeepStrictEqual(yield* announced, last)
          })
        )
        yield* gate.open
        yield* Fiber.join(stopping)
      })
    )
  )
})
