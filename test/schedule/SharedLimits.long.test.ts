import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Scheduler } from "../../engine/schedule/Scheduler.ts"
import { RESERVED_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import type { LimitSettings } from "../../engine/limit/LimitSettings.ts"
import type { Submission } from "../../engine/schedule/Admission.ts"
import { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import type { NewRun } from "../../engine/store/runs/Run.ts"
import { type Backend, dialectsOfSeveral } from "../store/Databases.ts"
import {
  audited,
  awaitDone,
  idOf,
  makeGatedAuditor,
  onDatabase,
  type ServiceOptions,
  start,
  wanted
} from "./TestService.ts"

const HOUR_MS = 3_600_000

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Submits runs at the same time, each to another process than the one before; returns what became of them. */
const processesOn = Effect.fnUntraced(function* (
  fresh: Backend["fresh"],
  settings: Partial<LimitSettings>,
  audit: ServiceOptions["audit"] = makeGatedAuditor().audit
) {
  const address = yield* fresh
  const both = [
    yield* start(onDatabase(address, { audit, settings })),
    yield* start(onDatabase(address, { audit, settings }))
  ] as const
  const submit = (runs: ReadonlyArray<readonly [run: NewRun, network: string]>) =>
    Effect.forEach(
      runs,
      ([run, network], index) =>
        both[index % 2 === 0 ? 0 : 1]
          .here(Effect.flatMap(Scheduler, (scheduler) => scheduler.submit(run, [network])))
          // Who waits for others too long is told to try again: on a busy machine that takes all of ten seconds.
          .pipe(Effect.retry({ while: (error) => error instanceof StoreUnavailable, times: 5 })),
      { concurrency: "unbounded" }
    )
  return {
    submit,
    ended: (submissions: ReadonlyArray<Submission>) =>
      Effect.forEach(submissions, (each) => both[0].here(awaitDone(idOf(each))))
  }
})

const accepted = (submissions: ReadonlyArray<{ readonly _tag: string }>): number =>
  submissions.filter(({ _tag }) => _tag === "Accepted").length

const ready = dialectsOfSeveral.filter(({ available }) => available)

describe.each(ready)("of two processes on $name that are asked at once", { concurrent: true }, ({ fresh }) => {
  const processes = (settings: Partial<LimitSettings>, audit?: ServiceOptions["audit"]) =>
    processesOn(fresh, settings, audit)

  it.live("the budget of a domain is spent once", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { submit } = yield* processes({
          hostBudget: { amount: 5 * RESERVED_REQUESTS, windowMs: 1_000 * HOUR_MS }
        })
        const submissions = yield* submit(
          range(20).map((index) => [wanted(`docs${index}.example.com`), `192.0.${index}.0/24`])
        )
        assert.strictEqual(accepted(submissions), 5)
      })
    )
  )

  it.live("a network has as many unfinished runs as one process allows", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { submit } = yield* processes({ clientRuns: 3 })
        const submissions = yield* submit(range(20).map((index) => [wanted(`docs.site${index}.com`), "192.0.2.0/24"]))
        assert.strictEqual(accepted(submissions), 3)
      })
    )
  )

  it.live("a network audits a site as often as one process allows", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ended, submit } = yield* processes(
          { siteQuota: { amount: 2, windowMs: HOUR_MS }, targetWindowMs: null },
          (run) => Effect.succeed(audited(run))
        )
        let count = 0
        for (let round = 0; round < 6; round++) {
          const submissions = yield* submit(range(8).map(() => [wanted("docs.example.com"), "192.0.2.0/24"]))
          count += accepted(submissions)
          yield* ended(submissions.filter(({ _tag }) => _tag !== "Refusal"))
        }
        assert.strictEqual(count, 2)
      })
    )
  )

  it.live(
    "a wider network has as many unfinished runs as one process allows, and none waits for another that waits for it",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { submit } = yield* processes({ networkRuns: 3 })
          const submissions = yield* submit(
            range(40).map((index) => [wanted(`docs.site${index}.com`), `2001:db8:${index % 4}:${index}00::/56`])
          )
          assert.strictEqual(accepted(submissions), 9)
        })
      )
  )
})
