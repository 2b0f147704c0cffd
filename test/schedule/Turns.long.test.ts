import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { SqlClient } from "effect/sql/SqlClient"
import type { Auditor } from "../../engine/schedule/Auditor.ts"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import { Scheduler } from "../../engine/schedule/Scheduler.ts"
import { sharedKey } from "../../engine/limit/LimitSettings.ts"
import { guest } from "../../engine/schedule/queue/QueueStore.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { Transactions } from "../../engine/store/database/SqlDatabase.ts"
import { dialects, postgres } from "../store/Databases.ts"
import {
  audited,
  awaitDone,
  everyStore,
  find,
  idOf,
  makeGatedAuditor,
  onDatabase,
  start,
  submit,
  until,
  wanted
} from "./TestService.ts"

const [ANN, BOB] = ["192.0.2.0/24", "198.51.100.0/24"]

/** The hosts of audits in the order in which they were begun. */
const hosts = (begun: ReadonlyArray<{ readonly site: string }>): ReadonlyArray<string> => begun.map(({ site }) => site)

const insist = (host: string) => Scheduler.use((scheduler) => scheduler.insist(wanted(host)))

describe.each(everyStore)("turns of submitters, in $name", { concurrent: true }, ({ run }) => {
  it.live("let a network with 50 waiting runs delay the first run of another by at most one turn", () => {
    const { audit, begun, gate } = makeGatedAuditor()
    return run(
      { audit, schedule: { concurrency: 1 } },
      Effect.gen(function* () {
        yield* Effect.forEach(
          Array.from({ length: 50 }, (_, index) => `ann-${index}.dev`),
          (host) => submit(host, "", ANN)
        )
        yield* until(Effect.sync(() => begun.length === 1))
        const bob = yield* submit("bob.dev", "", BOB)
        gate.openUnsafe()
        yield* awaitDone(idOf(bob))
        assert.isAtMost(hosts(begun).indexOf("bob.dev"), 2)
      })
    )
  })

  it.live("alternate between operators and guests, whatever their numbers", () => {
    const { audit, begun, gate } = makeGatedAuditor()
    return run(
      { audit, schedule: { concurrency: 1 } },
      Effect.gen(function* () {
        yield* submit("first.dev", "", ANN)
        yield* until(Effect.sync(() => begun.length === 1))
        for (const index of [1, 2, 3]) yield* submit(`scheduled-${index}.dev`)
        for (const index of [1, 2, 3]) yield* submit(`guest-${index}.dev`, "", ANN)
        const last = yield* insist("operator-1.dev")
        gate.openUnsafe()
        yield* awaitDone(last.run.id)
        yield* until(Effect.sync(() => begun.length === 8))
        const order = hosts(begun)
          .slice(1)
          .map((host) => host.replace(/-.*/, ""))
        assert.deepStrictEqual(order, ["scheduled", "guest", "operator", "guest", "scheduled", "guest", "scheduled"])
      })
    )
  })

  it.live("are refused while a client network has its maximum of unfinished runs", () => {
    const { audit, gate } = makeGatedAuditor()
    return run(
      { audit, settings: { clientRuns: 2, targetWindowMs: 600_000 }, schedule: { concurrency: 1 } },
      Effect.gen(function* () {
        const first = yield* submit("a.dev", "", ANN)
        const all = yield* Effect.forEach(["b.dev", "c.dev", "d.dev", "e.dev"], (host) => submit(host, "", ANN), {
          concurrency: "unbounded"
        })
        assert.lengthOf(
          all.filter(({ _tag }) => _tag === "Accepted"),
          1
        )
        const refused = all.find(({ _tag }) => _tag === "Refusal")
        assert.deepInclude(refused, { _tag: "Refusal", code: "rate_limited", runId: null })
        // Joining costs nothing, others are not concerned, nor are operators.
        assert.strictEqual((yield* submit("a.dev", "", ANN))._tag, "Joined")
        assert.strictEqual((yield* submit("f.dev", "", BOB))._tag, "Accepted")
        assert.strictEqual((yield* submit("g.dev"))._tag, "Accepted")
        assert.strictEqual((yield* insist("h.dev"))._tag, "Accepted")
        gate.openUnsafe()
        for (const submission of all) if (submission._tag === "Accepted") yield* awaitDone(idOf(submission))
        yield* awaitDone(idOf(first))
        assert.strictEqual((yield* submit("a.dev", "", ANN))._tag, "Replayed")
        assert.strictEqual((yield* submit("i.dev", "", ANN))._tag, "Accepted")
      })
    )
  })

  it.live("have a multiple of the limit for a network that many users share", () => {
    const { audit } = makeGatedAuditor()
    return run(
      { audit, settings: { clientRuns: 2, targetWindowMs: 600_000 }, schedule: { concurrency: 1 } },
      Effect.gen(function* () {
        const shared = sharedKey(2, "mcp 192.0.2.0/24")
        const all = yield* Effect.forEach(["a.dev", "b.dev", "c.dev", "d.dev", "e.dev"], (host) =>
          submit(host, "", shared)
        )
        assert.deepStrictEqual(
          all.map(({ _tag }) => _tag),
          ["Accepted", "Accepted", "Accepted", "Accepted", "Refusal"]
        )
      })
    )
  })

  it.live("beyond the length of the queue go to operators only, and none is lost", () => {
    const { audit, begun, gate } = makeGatedAuditor()
    return run(
      { audit, settings: { queueLimit: 3 }, schedule: { concurrency: 1 } },
      Effect.gen(function* () {
        const running = yield* submit("a.dev", "", ANN)
        yield* until(Effect.sync(() => begun.length === 1))
        const waiting = yield* Effect.forEach(["b.dev", "c.dev", "d.dev"], (host) => submit(host, "", ANN))
        const full = yield* Effect.flip(submit("e.dev", "", BOB))
        assert.deepInclude(full, { _tag: "QueueFull", waiting: 3, retryAfter: 30 })
        assert.strictEqual((yield* Effect.flip(submit("f.dev")))._tag, "QueueFull")
        assert.strictEqual((yield* submit("a.dev", "", BOB))._tag, "Joined")
        const operator = yield* insist("g.dev")
        gate.openUnsafe()
        const runs = yield* Effect.forEach(
          [running, ...waiting, operator],
          (submission) => awaitDone(idOf(submission)),
          { concurrency: "unbounded" }
        )
        assert.isTrue(runs.every((one) => one?.status === "done"))
        assert.strictEqual((yield* submit("e.dev", "", BOB))._tag, "Accepted")
      })
    )
  })
})

/** A run that processes died over, as it is found in the queue. */
const diedOver = Effect.fnUntraced(function* (host: string, attempts: number) {
  const store = yield* RunStore
  const queue = yield* AuditQueue
  const { atomic } = yield* Transactions
  // In one transaction, so that no process takes it before.
  return yield* atomic(
    Effect.gen(function* () {
      const accepted = yield* store.accept(wanted(host))
      yield* queue.offer(accepted, guest(ANN))
      const sql = yield* SqlClient
      yield* sql`UPDATE runs SET attempts = ${attempts}, begun = ${attempts} WHERE id = ${accepted.id}`
      return accepted.id
    })
  )
})

describe.each(dialects.filter(({ available }) => available))("in $name", { concurrent: true }, ({ fresh }) => {
  it.live("a run whose process died once is audited beside others", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { audit, begun, gate, most } = makeGatedAuditor()
        const { here } = yield* start(onDatabase(yield* fresh, { audit, schedule: { concurrency: 3 } }))
        yield* here(submit("b.dev"))
        yield* until(Effect.sync(() => begun.length === 1))
        const id = yield* here(diedOver("orphan.dev", 1))
        yield* until(Effect.sync(() => begun.length === 2))
        yield* here(submit("c.dev"))
        yield* until(Effect.sync(() => most() === 3))
        gate.openUnsafe()
        assert.deepInclude(yield* here(awaitDone(id)), { status: "done", attempts: 2 })
      })
    )
  )

  it.live("a run that is handed back repeatedly counts no attempts, and is audited in the end", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* fresh
        const { audit, begun } = makeGatedAuditor()
        let id = ""
        for (const round of [1, 2, 3, 4]) {
          const { here, stop } = yield* start(onDatabase(address, { audit }))
          if (round === 1) id = idOf(yield* here(submit("docs.example.com")))
          yield* until(Effect.sync(() => begun.length === round))
          yield* stop
        }
        const { here } = yield* start(onDatabase(address, { audit: (run) => Effect.succeed(audited(run)) }))
        assert.deepInclude(yield* here(awaitDone(id)), { status: "done", attempts: 1 })
        assert.deepStrictEqual(
          begun.map(({ attempts }) => attempts),
          [1, 1, 1, 1]
        )
      })
    )
  )
})

describe.skipIf(!postgres.available)("processes on one PostgreSQL", { concurrent: true }, () => {
  it.live("a run whose process died twice is audited alone in its process, before the others continue", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.fresh
        const busy = Latch.makeUnsafe(false)
        const idle = yield* start(
          onDatabase(address, {
            audit: () =>
              Effect.andThen(
                Effect.sync(() => busy.openUnsafe()),
                Effect.never
              ),
            schedule: { concurrency: 1 }
          })
        )
        // The only worker of this process is busy for good.
        yield* idle.here(submit("busy.dev"))
        yield* busy.await
        const id = yield* idle.here(diedOver("suspect.dev", 2))

        const [others, suspect] = [Latch.makeUnsafe(false), Latch.makeUnsafe(false)]
        const underWay = new Set<string>()
        const audit: Auditor["Service"]["audit"] = (run) =>
          Effect.acquireUseRelease(
            Effect.sync(() => underWay.add(run.site)),
            () => Effect.as((run.id === id ? suspect : others).await, audited(run)),
            () => Effect.sync(() => underWay.delete(run.site))
          )
        const { here } = yield* start(onDatabase(address, { audit, schedule: { concurrency: 3 } }))
        yield* until(Effect.sync(() => underWay.has("suspect.dev")))
        const later = yield* Effect.forEach(["b.dev", "c.dev"], (host) => here(submit(host, "", BOB)))
        yield* Effect.sleep(1_500)
        assert.deepStrictEqual([...underWay], ["suspect.dev"])
        suspect.openUnsafe()
        assert.deepInclude(yield* here(awaitDone(id)), { status: "done", attempts: 3 })
        yield* until(Effect.sync(() => underWay.size === 2))

        // Now it has to wait for those two.
        const second = yield* idle.here(diedOver("another.dev", 2))
        yield* Effect.sleep(1_500)
        assert.sameMembers([...underWay], ["b.dev", "c.dev"])
        others.openUnsafe()
        assert.deepInclude(yield* here(awaitDone(second)), { status: "done", attempts: 3 })
        for (const submission of later)
          assert.deepInclude(yield* here(awaitDone(idOf(submission))), { status: "done", attempts: 1 })
      })
    )
  )

  it.live("two processes audit many runs of many networks, each run once, one per domain at a time", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.fresh
        const { audit, begun, gate, mostOfDomain } = makeGatedAuditor()
        const options = { audit, schedule: { concurrency: 3 } }
        const processes = [yield* start(onDatabase(address, options)), yield* start(onDatabase(address, options))]
        const plans = Array.from({ length: 40 }, (_, index) => ({
          process: processes[index % 2],
          host: `docs-${index}.site-${index % 15}.dev`,
          network: `192.0.${index % 7}.0/24`
        }))
        gate.openUnsafe()
        const ids = yield* Effect.forEach(
          plans.flatMap(({ host, network, process }) =>
            process === undefined ? [] : [process.here(submit(host, "", network))]
          ),
          (submitting) => Effect.map(submitting, idOf),
          { concurrency: 8 }
        )
        const [one] = processes
        if (one === undefined) return
        const runs = yield* Effect.forEach(ids, (id) => one.here(awaitDone(id)), { concurrency: "unbounded" })
        assert.deepStrictEqual(
          runs.filter((run) => run?.status !== "done" || run.attempts !== 1),
          []
        )
        assert.sameMembers(
          begun.map(({ id }) => id),
          ids
        )
        assert.strictEqual(mostOfDomain(), 1)
        assert.deepInclude(yield* one.here(find(ids[0] ?? "")), { status: "done" })
      })
    )
  )
})
