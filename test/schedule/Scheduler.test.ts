import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { concurrentAudits, Scheduler } from "../../engine/schedule/Scheduler.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import {
  audited,
  awaitDone,
  everyStore,
  find,
  idOf,
  inMemory,
  makeGatedAuditor,
  notAudited,
  type ServiceOptions,
  submit,
  until,
  wanted
} from "./TestService.ts"

const NETWORK = "192.0.2.0/24"

describe.each(everyStore)("the scheduler, in $name", { concurrent: true }, ({ run }) => {
  it.live("audits what it accepts, and stores report and archive", () => {
    const archived: Array<string> = []
    return run(
      {
        audit: (one) => Effect.succeed(audited(one)),
        archive: ({ site }, bytes) => archived.push(`${site} ${bytes.length}`)
      },
      Effect.gen(function* () {
        const accepted = yield* submit("docs.example.com")
        assert.strictEqual(accepted._tag, "Accepted")
        const done = yield* awaitDone(idOf(accepted))
        assert.strictEqual(done?.status, "done")
        assert.strictEqual(done?.totalScore, 70)
        const report = yield* RunStore.use((store) => store.report(idOf(accepted)))
        assert.strictEqual(report?.encoded, '{"base_url":"https://docs.example.com"}\n')
        assert.deepStrictEqual(archived, ["docs.example.com 24"])
      })
    )
  })

  it.live("stores the evidence of an audit without a report", () => {
    const archived: Array<string> = []
    return run(
      {
        audit: () => notAudited("no_page", "It answers 403."),
        archive: (_, bytes, proof) => archived.push(`${proof} ${bytes.length}`)
      },
      Effect.gen(function* () {
        yield* awaitDone(idOf(yield* submit("docs.example.com")))
        assert.deepStrictEqual(archived, ["failure 14"])
      })
    )
  })

  it.live("joins concurrent requests for the same URL and rubric", () => {
    const { audit, begun, gate } = makeGatedAuditor()
    return run(
      { audit, settings: { targetWindowMs: null } },
      Effect.gen(function* () {
        const submissions = yield* Effect.forEach(Array.from({ length: 10 }), () => submit("docs.example.com"), {
          concurrency: "unbounded"
        })
        assert.strictEqual(new Set(submissions.map(idOf)).size, 1)
        assert.deepStrictEqual(submissions.map(({ _tag }) => _tag).sort(), [
          "Accepted",
          ...Array.from({ length: 9 }, () => "Joined")
        ])
        gate.openUnsafe()
        yield* awaitDone(submissions.map(idOf)[0] ?? "")
        assert.strictEqual(begun.length, 1)
      })
    )
  })

  it.live("keeps an owner's run that asks as named agents apart from those of everybody else", () => {
    const { audit, begun, gate } = makeGatedAuditor()
    const owners = { ...wanted("docs.example.com"), asAgents: true }
    return run(
      { audit },
      Effect.gen(function* () {
        const { insist, submit: request } = yield* Scheduler
        const first = yield* request(owners, [NETWORK])
        const stranger = yield* submit("docs.example.com", "", "198.51.100.0/24")
        const scheduled = yield* submit("docs.example.com")
        const operators = yield* insist(wanted("docs.example.com"))
        const again = yield* request(owners, [NETWORK])
        assert.deepStrictEqual(
          [first, stranger, scheduled, operators, again].map((submission) => [submission._tag, idOf(submission)]),
          [
            ["Accepted", idOf(first)],
            ["Accepted", idOf(stranger)],
            ["Joined", idOf(stranger)],
            ["Joined", idOf(stranger)],
            ["Joined", idOf(first)]
          ]
        )
        gate.openUnsafe()
        for (const one of [first, stranger]) yield* awaitDone(idOf(one))
        assert.deepStrictEqual(
          new Map(begun.map(({ asAgents, id }) => [id, asAgents])),
          new Map([
            [idOf(first), true],
            [idOf(stranger), false]
          ])
        )
        // What is over is returned for the same requests only.
        const later = [yield* submit("docs.example.com", "", "203.0.113.0/24"), yield* request(owners, [NETWORK])]
        assert.deepStrictEqual(
          later.map((submission) => [submission._tag, idOf(submission)]),
          [
            ["Replayed", idOf(stranger)],
            ["Replayed", idOf(first)]
          ]
        )
      })
    )
  })

  it.live("distinguishes URLs exactly", () => {
    const { audit } = makeGatedAuditor()
    return run(
      { audit },
      Effect.gen(function* () {
        const tags = [
          yield* submit("docs.example.com", "/a"),
          yield* submit("docs.example.com", "/b"),
          yield* submit("docs.example.com", "/a")
        ]
        assert.deepStrictEqual(
          tags.map(({ _tag }) => _tag),
          ["Accepted", "Accepted", "Joined"]
        )
      })
    )
  })

  it.live("returns a report from within the target window at no cost", () =>
    run(
      { audit: (one) => Effect.succeed(audited(one)), settings: { siteQuota: { amount: 1, windowMs: 86_400_000 } } },
      Effect.gen(function* () {
        const first = yield* submit("docs.example.com", "", NETWORK)
        yield* awaitDone(idOf(first))
        const again = yield* submit("docs.example.com", "", NETWORK)
        assert.strictEqual(again._tag, "Replayed")
        assert.strictEqual(idOf(again), idOf(first))
      })
    )
  )

  it.live("returns no cached report if the window is off", () =>
    run(
      { audit: (one) => Effect.succeed(audited(one)), settings: { targetWindowMs: null } },
      Effect.gen(function* () {
        const first = yield* submit("docs.example.com")
        yield* awaitDone(idOf(first))
        const again = yield* submit("docs.example.com")
        assert.strictEqual(again._tag, "Accepted")
        assert.notStrictEqual(idOf(again), idOf(first))
      })
    )
  )

  it.live("refuses a second audit of a site for one network, and names the run to read instead", () =>
    run(
      {
        audit: (one) => Effect.succeed(audited(one)),
        settings: { targetWindowMs: null, siteQuota: { amount: 1, windowMs: 86_400_000 } }
      },
      Effect.gen(function* () {
        const first = yield* submit("docs.example.com", "", NETWORK)
        yield* awaitDone(idOf(first))
        const refused = yield* submit("docs.example.com", "", NETWORK)
        assert.deepInclude(refused, { _tag: "Refusal", code: "site_quota", runId: idOf(first) })
        assert.strictEqual((yield* submit("docs.example.com", "", "198.51.100.0/24"))._tag, "Accepted")
      })
    )
  )

  it.live("returns the quota if there is no report", () =>
    run(
      {
        audit: () => notAudited("no_page", "It answers 403."),
        settings: { siteQuota: { amount: 1, windowMs: 86_400_000 } }
      },
      Effect.gen(function* () {
        const first = yield* submit("docs.example.com", "", NETWORK)
        assert.strictEqual((yield* awaitDone(idOf(first)))?.status, "error")
        assert.strictEqual((yield* submit("docs.example.com", "", NETWORK))._tag, "Accepted")
      })
    )
  )

  it.live("stays within the budget of a domain over all its URLs, and returns what was not needed", () => {
    const gated = makeGatedAuditor()
    const audit: ServiceOptions["audit"] = (one, observer) =>
      Effect.tap(gated.audit(one, observer), () => Effect.sync(() => observer.requested(150)))
    return run(
      { audit, settings: { hostBudget: { amount: 400, windowMs: 3_600_000 } } },
      Effect.gen(function* () {
        const first = yield* submit("a.example.com")
        const second = yield* submit("b.example.com")
        const refused = yield* submit("c.example.com")
        assert.deepInclude(refused, { _tag: "Refusal", code: "rate_limited" })
        assert.strictEqual((yield* submit("docs.example.org"))._tag, "Accepted")
        gated.gate.openUnsafe()
        yield* awaitDone(idOf(first))
        yield* awaitDone(idOf(second))
        // 100 are back, another audit needs 200.
        assert.strictEqual((yield* submit("d.example.com"))._tag, "Refusal")
      })
    )
  })

  it.live("audits one URL of a domain at a time, without blocking a worker", () => {
    const { audit, begun, gate, mostOfDomain } = makeGatedAuditor()
    return run(
      { audit, schedule: { concurrency: 2 } },
      Effect.gen(function* () {
        const first = yield* submit("a.example.com")
        yield* until(Effect.sync(() => begun.length === 1))
        const second = yield* submit("b.example.com")
        const other = yield* submit("docs.example.org")
        yield* until(Effect.sync(() => begun.length === 2))
        assert.deepStrictEqual(
          begun.map(({ id }) => id),
          [idOf(first), idOf(other)]
        )
        gate.openUnsafe()
        assert.strictEqual((yield* awaitDone(idOf(second)))?.status, "done")
        assert.strictEqual(mostOfDomain(), 1)
      })
    )
  })

  it.live("runs as many audits at once as the setting allows", () => {
    const { audit, begun, gate, most } = makeGatedAuditor()
    return run(
      { audit, schedule: { concurrency: 3 } },
      Effect.gen(function* () {
        const submissions = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, index) => `docs.example${index}.com`),
          (host) => submit(host)
        )
        yield* until(Effect.sync(() => begun.length === 3))
        gate.openUnsafe()
        const runs = yield* Effect.forEach(submissions, (submission) => awaitDone(idOf(submission)), {
          concurrency: "unbounded"
        })
        assert.isTrue(runs.every((one) => one?.status === "done"))
        assert.strictEqual(most(), 3)
      })
    )
  })

  it.live("continues when some callers disconnect, and answers the others", () => {
    const { audit, gate } = makeGatedAuditor()
    return run(
      { audit },
      Effect.gen(function* () {
        const id = idOf(yield* submit("docs.example.com"))
        const leaving = yield* Effect.forkChild(awaitDone(id))
        const staying = yield* Effect.forkChild(awaitDone(id))
        yield* Effect.sleep(50)
        yield* Fiber.interrupt(leaving)
        gate.openUnsafe()
        assert.strictEqual((yield* Fiber.join(staying))?.status, "done")
      })
    )
  })

  it.live("continues when all callers disconnect", () => {
    const { audit, gate } = makeGatedAuditor()
    return run(
      { audit },
      Effect.gen(function* () {
        const id = idOf(yield* submit("docs.example.com"))
        const only = yield* Effect.forkChild(awaitDone(id))
        yield* Effect.sleep(50)
        yield* Fiber.interrupt(only)
        gate.openUnsafe()
        yield* until(Effect.map(find(id), (one) => one?.status !== "running" && one?.status !== "pending"))
        assert.strictEqual((yield* find(id))?.status, "done")
      })
    )
  })

  it.live("stores the progress of an audit", () => {
    const { audit: gated, gate } = makeGatedAuditor()
    const audit: ServiceOptions["audit"] = (one, observer) =>
      Effect.andThen(
        Effect.sync(() => observer.measured({ done: 7, total: 30 })),
        gated(one, observer)
      )
    return run(
      { audit },
      Effect.gen(function* () {
        const id = idOf(yield* submit("docs.example.com"))
        yield* until(Effect.map(find(id), (one) => one?.progress.done === 7))
        assert.deepInclude(yield* find(id), { status: "running", progress: { done: 7, total: 30 } })
        gate.openUnsafe()
        yield* awaitDone(id)
      })
    )
  })

  it.live.each([
    ["unreachable", null],
    ["no_page", "audit_failed"],
    ["left_site", "audit_failed"],
    ["shut_out", "audit_failed"]
  ] as const)("says why there is no report: %s", ([reason, code]) =>
    run(
      { audit: () => notAudited(reason, "It is\u001b[31m gone\n.") },
      Effect.gen(function* () {
        const run = yield* awaitDone(idOf(yield* submit("docs.example.com")))
        assert.deepStrictEqual(run?.error, { code, message: "It is [31m gone ." })
      })
    )
  )

  it.live("hides the reason of an internal error", () =>
    run(
      { audit: () => Effect.die(new Error("secret")) },
      Effect.gen(function* () {
        const run = yield* awaitDone(idOf(yield* submit("docs.example.com")))
        assert.strictEqual(run?.error?.code, "internal")
        assert.notInclude(run?.error?.message ?? "secret", "secret")
      })
    )
  )

  it.live("returns null for a run that does not exist", () =>
    run(
      { audit: (one) => Effect.succeed(audited(one)) },
      Effect.gen(function* () {
        assert.isNull(yield* awaitDone("01890a5d-ac96-774b-bcce-b302099a8057"))
      })
    )
  )
})

describe("the target window", () => {
  it.effect("ends when its time is over", () =>
    Effect.gen(function* () {
      const first = yield* submit("docs.example.com")
      yield* awaitDone(idOf(first))
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* submit("docs.example.com"))._tag, "Replayed")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* submit("docs.example.com"))._tag, "Accepted")
    }).pipe(Effect.provide(inMemory({ audit: (one) => Effect.succeed(audited(one)) })))
  )
})

describe("an audit that hangs", () => {
  it.effect("ends in an error", () =>
    Effect.gen(function* () {
      const id = idOf(yield* submit("docs.example.com"))
      const waiting = yield* Effect.forkChild(awaitDone(id))
      yield* TestClock.adjust("16 minutes")
      assert.strictEqual((yield* Fiber.join(waiting))?.error?.code, "internal")
    }).pipe(Effect.provide(inMemory({ audit: () => Effect.never })))
  )
})

describe("DOCGAUGE_CONCURRENT_AUDITS", () => {
  const from = (env: Readonly<Record<string, string>>) => concurrentAudits.parse(ConfigProvider.fromUnknown(env))

  it.effect.each([{}, { DOCGAUGE_CONCURRENT_AUDITS: "" }])("is 4 where it is not set: %j", (env) =>
    Effect.map(from(env), (count) => assert.strictEqual(count, 4))
  )

  it.effect.each(["0", "-1", "many", "1.5", "65"])("that is wrong fails with one line: %j", (text) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(from({ DOCGAUGE_CONCURRENT_AUDITS: text }))
      assert.match(message, /DOCGAUGE_CONCURRENT_AUDITS: give a whole number from 1 to 64$/)
    })
  )
})
