import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { RESERVED_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { type Auditor, CannotAudit } from "../../engine/schedule/Auditor.ts"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import { guest } from "../../engine/schedule/queue/QueueStore.ts"
import type { Database } from "../../engine/store/Database.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { dialects, postgres, storeAt } from "../store/Databases.ts"
import { holdOf, resultOf } from "../store/SampleRuns.ts"
import {
  audited,
  awaitDone,
  find,
  idOf,
  inMemory,
  makeGatedAuditor,
  onDatabase,
  type ServiceOptions,
  start,
  submit,
  until,
  wanted
} from "./TestService.ts"

const NETWORK = "192.0.2.0/24"
const QUOTA = { siteQuota: { amount: 1, windowMs: 86_400_000 } }

/** A pause that is longer than the interval of polling, which therefore shows, in milliseconds. */
const WAIT_MS = 2_000

/** As if all heartbeats had ended an hour ago. */
const silence = SqlClient.use((sql) =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`UPDATE docgauge_jobs.job SET heartbeat_on = heartbeat_on - interval '1 hour'`),
    orElse: () => Effect.void
  })
)

/** What a process leaves behind that began a run `attempts` times and died. */
const dieOver = Effect.fnUntraced(function* (attempts: number, host = "docs.example.com") {
  const store = yield* RunStore
  const queue = yield* AuditQueue
  const run = yield* store.accept(wanted(host))
  yield* queue.offer(run, guest(NETWORK))
  yield* queue.claim()
  const sql = yield* SqlClient
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    yield* sql`UPDATE runs SET status = 'pending' WHERE id = ${run.id}`
    yield* store.begin(run.id, "the dead")
  }
  yield* silence
  return run.id
})

/** The queue of a process that audits nothing. */
const queueOn = (address: Database) => AuditQueue.layerSql.pipe(Layer.provideMerge(storeAt(address)))

/** Audits of which the first ones cannot be finished by their process, after this many requests. */
const stopFirst = (times: number, requests: number): Auditor["Service"]["audit"] => {
  let audits = 0
  return (run, observer) =>
    Effect.suspend(() => {
      audits += 1
      if (audits > times) return Effect.succeed(audited(run))
      observer.requested(requests)
      return Effect.fail(new CannotAudit({ message: "It was stopped." }))
    })
}

/** Three processes; gives one of them. */
const startThree = Effect.fnUntraced(function* (address: Database, options: ServiceOptions) {
  const one = start(onDatabase(address, options))
  yield* Effect.andThen(one, one)
  return yield* one
})

describe.each(dialects.filter(({ available }) => available))("runs in $name", { concurrent: true }, ({ fresh }) => {
  it.live("that a dead process began are audited again", () =>
    Effect.gen(function* () {
      const begun: Array<number> = []
      const audit = (run: Parameters<typeof audited>[0]) =>
        Effect.sync(() => {
          begun.push(run.attempts)
          return audited(run)
        })
      const address = yield* fresh
      const id = yield* Effect.provide(dieOver(1), queueOn(address))
      const { here } = yield* start(onDatabase(address, { audit }))
      assert.strictEqual((yield* here(awaitDone(id)))?.status, "done")
      assert.deepStrictEqual(begun, [2])
    }).pipe(Effect.scoped)
  )

  it.live("whose process died three times end in an error, which is logged as ours, and use no quota", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const address = yield* fresh
      const options = { audit: () => Effect.never, settings: QUOTA, log: (line: string) => lines.push(line) }
      const idle = yield* start(onDatabase(address, { ...options, schedule: { concurrency: 0 } }))
      const quota = yield* idle.here(Effect.map(Limits, ({ siteQuota }) => siteQuota))
      const id = yield* idle.here(dieOver(3))
      yield* quota.take(NETWORK, "docs.example.com", id)
      yield* start(onDatabase(address, options))
      assert.deepInclude(yield* idle.here(awaitDone(id)), {
        status: "error",
        attempts: 3,
        error: { code: "internal", message: "The audit failed: three attempts did not complete." }
      })
      assert.strictEqual((yield* quota.check(NETWORK, "docs.example.com"))._tag, "Allowed")
      yield* until(Effect.sync(() => lines.some((line) => line.includes("internal error"))))
      assert.match(
        lines.join("\n"),
        new RegExp(
          `"level":"error","message":"audit ended with an internal error: The audit failed: three attempts did not complete.","run":"${id}"`
        )
      )
    }).pipe(Effect.scoped)
  )

  it.live("that have no attempt left are each logged, though a heartbeat finds their claim gone at that moment", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const address = yield* fresh
      const options = { audit: () => Effect.never, log: (line: string) => lines.push(line) }
      const idle = yield* start(onDatabase(address, { ...options, schedule: { concurrency: 0 } }))
      const ids = yield* Effect.forEach(Array.from({ length: 40 }), (_, number) =>
        idle.here(dieOver(3, `docs.site-${number}.dev`))
      )
      yield* start(onDatabase(address, { ...options, schedule: { heartbeatMs: 1 } }))
      yield* Effect.forEach(ids, (id) => idle.here(awaitDone(id)), { concurrency: "unbounded" })
      const logged = lines.filter((line) => line.includes("audit ended with an internal error"))
      assert.deepStrictEqual(
        ids.filter((id) => !logged.some((line) => line.includes(id))),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("are handed back by a process that shuts down, and audited by the next at once", () =>
    Effect.gen(function* () {
      const address = yield* fresh
      const { audit, begun } = makeGatedAuditor()
      const first = yield* start(onDatabase(address, { audit }))
      const id = idOf(yield* first.here(submit("docs.example.com")))
      const waiting = idOf(yield* first.here(submit("b.example.com")))
      yield* until(Effect.sync(() => begun.length === 1))
      // It ends, though its audit never does.
      yield* first.stop

      const second = yield* start(onDatabase(address, { audit: (run) => Effect.succeed(audited(run)) }))
      assert.deepInclude(yield* second.here(awaitDone(id)), { status: "done", attempts: 1 })
      assert.deepInclude(yield* second.here(awaitDone(waiting)), { status: "done", attempts: 1 })
    }).pipe(Effect.scoped)
  )

  it.live("that a process could not audit are audited by it after a pause, if it can by then", () =>
    Effect.gen(function* () {
      const triedAt: Array<number> = []
      const audit = (run: Parameters<typeof audited>[0]) =>
        Effect.suspend(() =>
          triedAt.push(performance.now()) === 1
            ? Effect.fail(new CannotAudit({ message: "No audit can begin." }))
            : Effect.succeed(audited(run))
        )
      const only = yield* start(onDatabase(yield* fresh, { audit, schedule: { pauseMs: WAIT_MS } }))
      const id = idOf(yield* only.here(submit("docs.example.com")))
      assert.deepInclude(yield* only.here(awaitDone(id)), { status: "done", attempts: 1 })
      const [first = 0, second = 0, ...others] = triedAt
      assert.isAbove(second - first, WAIT_MS - 100)
      assert.deepStrictEqual(others, [])
    }).pipe(Effect.scoped)
  )

  it.live(
    "end in an error at once if more than the requests of one audit were sent by then: the next attempt could not account for them",
    () =>
      Effect.gen(function* () {
        const { here } = yield* start(onDatabase(yield* fresh, { audit: stopFirst(1, RESERVED_REQUESTS + 1) }))
        const id = idOf(yield* here(submit("docs.example.com")))
        assert.deepInclude(yield* here(awaitDone(id)), {
          status: "error",
          error: { code: "internal", message: "It was stopped." }
        })
      }).pipe(Effect.scoped)
  )

  it.live("that end within the grace period are finished by the process that shuts down", () =>
    Effect.gen(function* () {
      const address = yield* fresh
      const { audit, begun, gate } = makeGatedAuditor()
      const first = yield* start(onDatabase(address, { audit, schedule: { graceMs: 60_000 } }))
      const id = idOf(yield* first.here(submit("docs.example.com")))
      yield* until(Effect.sync(() => begun.length === 1))
      yield* Effect.all(
        [
          first.stop,
          Effect.delay(
            Effect.sync(() => gate.openUnsafe()),
            200
          )
        ],
        { concurrency: "unbounded" }
      )

      const second = yield* start(onDatabase(address, { audit: () => Effect.never }))
      assert.deepInclude(yield* second.here(find(id)), { status: "done", attempts: 1 })
    }).pipe(Effect.scoped)
  )
})

describe.skipIf(!postgres.available)("runs of several processes on PostgreSQL", { concurrent: true }, () => {
  const { fresh } = postgres

  it.live(
    "that seem to be those of a dead process are left to it for a while by a process that has just started: there may have been an outage until then",
    () =>
      Effect.gen(function* () {
        const address = yield* fresh
        const id = yield* Effect.provide(dieOver(1), queueOn(address))
        const startedAt = performance.now()
        let begunAt = 0
        const audit = (run: Parameters<typeof audited>[0]) =>
          Effect.sync(() => {
            begunAt = performance.now()
            return audited(run)
          })
        yield* Effect.gen(function* () {
          assert.deepInclude(yield* awaitDone(id), { status: "done", attempts: 2 })
          assert.isAbove(begunAt - startedAt, WAIT_MS - 100)
        }).pipe(Effect.provide(onDatabase(address, { audit, schedule: { settledMs: WAIT_MS } })))
      }).pipe(Effect.scoped)
  )

  it.live("are finished, but not failed, by the process that seemed dead, until they are begun again", () =>
    Effect.gen(function* () {
      const [store, queue] = [yield* RunStore, yield* AuditQueue]
      const begin = Effect.fnUntraced(function* (host: string) {
        const run = yield* store.accept(wanted(host))
        yield* queue.offer(run, guest(NETWORK))
        yield* queue.claim()
        yield* store.begin(run.id, "slow")
        return run.id
      })
      const [waiting, again] = [yield* begin("a.example.com"), yield* begin("b.example.org")]
      yield* silence
      assert.strictEqual(yield* queue.recover, 2)
      assert.deepInclude(yield* store.find(waiting), { status: "pending", attempts: 1 })
      assert.deepStrictEqual(
        (yield* store.unfinished(10)).map(({ worker }) => worker),
        [null, null]
      )
      yield* store.begin(again, "other")
      for (const id of [waiting, again])
        assert.isFalse(yield* store.fail(holdOf(id, "slow"), { code: null, message: "unreachable" }))
      for (const [id, may] of [
        [waiting, true],
        [again, false]
      ] as const) {
        assert.strictEqual(yield* store.isCurrent(holdOf(id, "slow")), may)
        assert.strictEqual(yield* store.finish(holdOf(id, "slow"), resultOf(55)), may)
      }
      assert.deepInclude(yield* store.find(waiting), { status: "done", totalScore: 55 })
      assert.deepInclude(yield* store.find(again), { status: "running", attempts: 2 })
    }).pipe((test) => Effect.scoped(Effect.flatMap(fresh, (address) => Effect.provide(test, queueOn(address)))))
  )

  it.live(
    "that a process cannot audit are audited by another, count as no attempt, and are not taken again and again",
    () =>
      Effect.gen(function* () {
        const address = yield* fresh
        const refusedAt: Array<number> = []
        const refuse = () =>
          Effect.suspend(() => {
            refusedAt.push(performance.now())
            return Effect.fail(new CannotAudit({ message: "No audit can begin." }))
          })
        const first = yield* start(
          onDatabase(address, { audit: refuse, schedule: { concurrency: 1, pauseMs: WAIT_MS } })
        )
        const ids = [
          idOf(yield* first.here(submit("docs.example.com"))),
          idOf(yield* first.here(submit("docs.example.org")))
        ]
        yield* until(
          first.here(
            Effect.map(
              Effect.all(ids.map(find)),
              (runs) => refusedAt.length > 0 && runs.every((run) => run?.status === "pending" && run.attempts === 0)
            )
          )
        )
        const second = yield* start(onDatabase(address, { audit: (run) => Effect.succeed(audited(run)) }))
        for (const id of ids) assert.deepInclude(yield* second.here(awaitDone(id)), { status: "done", attempts: 1 })
        assert.isTrue(
          refusedAt.every((at, index) => at - (refusedAt[index - 1] ?? -Infinity) > WAIT_MS - 100),
          refusedAt.join(", ")
        )
      }).pipe(Effect.scoped)
  )

  it.live(
    "whose process had to stop the audit after it sent requests are audited by another: that counts as no attempt, and the budget of the domain pays for each",
    () =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        const options = { audit: stopFirst(2, 5), log: (line: string) => lines.push(line) }
        const { here } = yield* startThree(yield* fresh, options)
        const id = idOf(yield* here(submit("docs.example.com")))
        assert.deepInclude(yield* here(awaitDone(id)), { status: "done", attempts: 1 })
        yield* until(
          Effect.sync(() =>
            lines.some((line) => line.includes(`"audit done: 70 points, ${2 * RESERVED_REQUESTS} requests"`))
          )
        )
      }).pipe(Effect.scoped)
  )

  it.live("end in an error if that happens a third time: their site may be the cause", () =>
    Effect.gen(function* () {
      const options = { audit: stopFirst(3, 5) }
      const { here } = yield* startThree(yield* fresh, options)
      const id = idOf(yield* here(submit("docs.example.com")))
      assert.deepInclude(yield* here(awaitDone(id)), {
        status: "error",
        attempts: 1,
        error: { code: "internal", message: "It was stopped." }
      })
    }).pipe(Effect.scoped)
  )

  it.live(
    "are shared by processes: each is audited once, one per domain at a time, and all callers get the result",
    () =>
      Effect.gen(function* () {
        const address = yield* fresh
        const { audit, begun, gate, mostOfDomain } = makeGatedAuditor()
        const options = { audit, schedule: { concurrency: 2 } }
        const [one, other] = [yield* start(onDatabase(address, options)), yield* start(onDatabase(address, options))]
        const paths = ["/a", "/b", "/c"]
        const ids = yield* Effect.forEach(paths, (path) => one.here(submit("docs.example.com", path)))
        const joined = yield* Effect.forEach(paths, (path) => other.here(submit("docs.example.com", path)))
        assert.deepStrictEqual(joined.map(idOf), ids.map(idOf))
        gate.openUnsafe()
        const runs = yield* Effect.forEach(ids, (submission) => other.here(awaitDone(idOf(submission))), {
          concurrency: "unbounded"
        })
        assert.isTrue(runs.every((run) => run?.status === "done"))
        assert.strictEqual(begun.length, 3)
        assert.strictEqual(mostOfDomain(), 1)
      }).pipe(Effect.scoped)
  )

  it.live("that are requested from several processes at once become one run", () =>
    Effect.gen(function* () {
      const address = yield* fresh
      const { audit } = makeGatedAuditor()
      const processes = [yield* start(onDatabase(address, { audit })), yield* start(onDatabase(address, { audit }))]
      const ask = ({ here }: (typeof processes)[number]) =>
        Effect.forEach([1, 2, 3], () => here(submit("docs.example.com")), { concurrency: "unbounded" })
      const submissions = (yield* Effect.forEach(processes, ask, { concurrency: "unbounded" })).flat()
      assert.strictEqual(new Set(submissions.map(idOf)).size, 1)
    }).pipe(Effect.scoped)
  )

  it.live("whose claim was lost are left to the process that has it", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const audit = () =>
        Effect.onInterrupt(
          Effect.andThen(
            Effect.sync(() => events.push("begun")),
            Effect.never
          ),
          () => Effect.sync(() => events.push("interrupted"))
        )
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const id = idOf(yield* submit("docs.example.com"))
        yield* until(Effect.sync(() => events.length === 1))
        // As after a long stop of this process: another took over.
        yield* sql`UPDATE docgauge_jobs.job SET retry_count = retry_count + 1`
        yield* until(Effect.sync(() => events.length === 2))
        assert.strictEqual((yield* find(id))?.status, "running")
        assert.deepStrictEqual(events, ["begun", "interrupted"])
        assert.strictEqual((yield* sql`SELECT 1 AS one FROM docgauge_jobs.job WHERE state = 'active'`).length, 1)
      }).pipe(Effect.provide(onDatabase(yield* fresh, { audit })))
    }).pipe(Effect.scoped)
  )
})

describe("a process that shuts down", () => {
  it.live("accepts no more runs", () =>
    Effect.gen(function* () {
      const { stop, here } = yield* start(inMemory({ audit: () => Effect.never }))
      yield* stop
      assert.strictEqual((yield* Effect.flip(here(submit("docs.example.com"))))._tag, "StoreUnavailable")
    }).pipe(Effect.scoped)
  )
})
