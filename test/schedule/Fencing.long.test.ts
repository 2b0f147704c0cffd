import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Auditor } from "../../engine/schedule/Auditor.ts"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import { SCHEDULE } from "../../engine/schedule/queue/QueueStore.ts"
import { HEARTBEAT_SECONDS } from "../../engine/schedule/queue/JobEngine.ts"
import { Transactions } from "../../engine/store/database/SqlDatabase.ts"
import { cutOff } from "../store/CutOff.ts"
import { dialectsOfSeveral } from "../store/Databases.ts"
import { audited, awaitDone, find, idOf, notAudited, onDatabase, start, submit, until } from "./TestService.ts"

type Audit = Auditor["Service"]["audit"]

const postgres = dialectsOfSeveral.find(({ available, name }) => available && name === "PostgreSQL")

/** Audits that end as `end` says once their gate is opened, and tell when they are begun and interrupted. */
const makeAudit = (end: Audit) => {
  const gate = Latch.makeUnsafe(false)
  const events: Array<"begun" | "interrupted"> = []
  const note = (event: (typeof events)[number]) =>
    Effect.sync(() => {
      events.push(event)
    })
  const audit: Audit = (run, observer) =>
    Effect.andThen(
      note("begun"),
      Effect.onInterrupt(Effect.andThen(gate.await, end(run, observer)), () => note("interrupted"))
    )
  return { audit, events, gate }
}

/** One worker, so that none is in the middle of taking a run when the way is cut. */
const ONE = { concurrency: 1 }

/** Enough for one audit of a domain: an attempt whose requests are unknown counts as a whole one. */
const BUDGET = { hostBudget: { amount: 390, windowMs: 3_600_000 } }

const ends: Audit = (run) => Effect.succeed(audited(run))

describe.skipIf(postgres === undefined)("a process that is cut off from the database", { concurrent: true }, () => {
  if (postgres === undefined) return

  /** A process, alone, that has begun an audit when it is cut off. */
  const cutDuringAudit = Effect.gen(function* () {
    const way = yield* cutOff(yield* postgres.fresh)
    const { audit, events, gate } = makeAudit(ends)
    const only = yield* start(onDatabase(way.address, { audit, schedule: ONE }))
    const id = idOf(yield* only.here(submit("docs.example.com")))
    yield* until(Effect.sync(() => events.length === 1))
    yield* way.cut
    return { events, gate, id, only, way }
  })

  it.live("stops its audit before another process takes over, and no longer changes the run", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.fresh
        const way = yield* cutOff(address)
        const [lost, taking] = [makeAudit(() => notAudited("no_page", "It answers 403.")), makeAudit(ends)]
        const first = yield* start(onDatabase(way.address, { audit: lost.audit, schedule: ONE }))
        const id = idOf(yield* first.here(submit("docs.example.com")))
        yield* until(Effect.sync(() => lost.events.length === 1))
        yield* way.cut

        const second = yield* start(onDatabase(address, { audit: taking.audit }))
        yield* until(Effect.sync(() => taking.events.length === 1))
        assert.deepStrictEqual(lost.events, ["begun", "interrupted"])
        lost.gate.openUnsafe()
        yield* way.heal
        yield* Effect.sleep(1_500)
        assert.deepInclude(yield* second.here(find(id)), { status: "running", error: null })
        taking.gate.openUnsafe()
        assert.deepInclude(yield* second.here(awaitDone(id)), { status: "done", totalScore: 70 })
        assert.deepStrictEqual(taking.events, ["begun"])
      })
    )
  )

  it.live("and finishes too late changes neither the run, nor its archive, nor the budget of its domain", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.fresh
        const way = yield* cutOff(address)
        const archived: Array<string> = []
        const slow = Latch.makeUnsafe(false)
        const late: Audit = (run) =>
          Effect.succeed({ ...audited(run, 10), archive: Effect.as(slow.await, new TextEncoder().encode("late")) })
        const first = yield* start(
          onDatabase(way.address, {
            audit: late,
            schedule: ONE,
            settings: BUDGET,
            archive: () => archived.push("first")
          })
        )
        const id = idOf(yield* first.here(submit("docs.example.com")))
        yield* until(Effect.map(first.here(find(id)), (run) => run?.status === "running"))
        yield* way.cut

        const second = yield* start(
          onDatabase(address, { audit: ends, settings: BUDGET, archive: () => archived.push("second") })
        )
        assert.deepInclude(yield* second.here(awaitDone(id)), { status: "done", totalScore: 70 })
        slow.openUnsafe()
        yield* way.heal
        yield* Effect.sleep(1_500)
        assert.deepStrictEqual(archived, ["second"])
        assert.deepInclude(yield* second.here(find(id)), { status: "done", totalScore: 70 })
        // The attempt whose requests are unknown counts as a whole one, whatever the late audit says of it.
        assert.deepInclude(yield* second.here(submit("next.example.com")), { _tag: "Refusal", code: "rate_limited" })
      })
    )
  )

  it.live("finishes its audit if the database is back before another process takes over", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { events, gate, id, only, way } = yield* cutDuringAudit
        gate.openUnsafe()
        yield* Effect.sleep(300)
        yield* way.heal
        assert.deepInclude(yield* only.here(awaitDone(id)), { status: "done", attempts: 1 })
        assert.deepStrictEqual(events, ["begun"])
      })
    )
  )

  it.live("keeps its results, and writes them once the database is back after claims are over", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.fresh
        const ways = [yield* cutOff(address), yield* cutOff(address)]
        const { audit, events, gate } = makeAudit(ends)
        const archived: Array<string> = []
        const services = yield* Effect.forEach(ways, (way) =>
          start(
            onDatabase(way.address, {
              audit,
              schedule: ONE,
              archive: (_run, bytes) => archived.push(new TextDecoder().decode(bytes))
            })
          )
        )
        const [one, other] = services
        if (one === undefined || other === undefined) return assert.fail("two services are needed")
        const hosts = ["a.dev", "b.dev"]
        const ids = (yield* Effect.forEach(hosts, (host) => one.here(submit(host)))).map(idOf)
        yield* until(Effect.sync(() => events.length === 2))
        for (const way of ways) yield* way.cut
        gate.openUnsafe()
        yield* Effect.sleep(HEARTBEAT_SECONDS * 1_000 + 2_000)
        for (const way of ways) yield* way.heal
        for (const id of ids) assert.deepInclude(yield* other.here(awaitDone(id)), { status: "done", attempts: 1 })
        assert.deepStrictEqual(events, ["begun", "begun"])
        assert.sameMembers(
          archived,
          hosts.map((host) => `https://${host}`)
        )
      })
    )
  )

  it.live("does not count as an attempt if the database was unreachable for longer than a claim lasts", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { events, gate, id, only, way } = yield* cutDuringAudit
        yield* until(Effect.sync(() => events.length === 2))
        yield* way.heal
        gate.openUnsafe()
        assert.deepInclude(yield* only.here(awaitDone(id)), { status: "done", attempts: 1 })
        assert.deepStrictEqual(events, ["begun", "interrupted", "begun"])
      })
    )
  )

  it.live("in the middle of a transaction blocks the queue of others for seconds only", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.fresh
        const way = yield* cutOff(address)
        const first = yield* start(onDatabase(way.address, { audit: ends }))
        const second = yield* start(onDatabase(address, { audit: ends }))
        const holding = Transactions.use(({ alone }) =>
          alone(
            "other.org",
            Effect.andThen(
              AuditQueue.use(({ load }) => load(SCHEDULE, 1)),
              Effect.never
            )
          )
        )
        yield* Effect.forkScoped(first.here(holding))
        yield* Effect.sleep(500)
        yield* way.cut
        const id = idOf(yield* second.here(submit("docs.example.com")))
        assert.deepInclude(yield* second.here(awaitDone(id)), { status: "done" })
        // So that both can end.
        yield* way.heal
      })
    )
  )
})
