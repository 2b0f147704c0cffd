import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import { expect, it } from "vitest"
import type { PlanSummary } from "../../../engine/fix/plan/PlanSummary.ts"
import { NotFixed } from "../../../engine/schedule/Fixer.ts"
import { Audits } from "../../../server/mcp/audits/Audits.ts"
import { localAudits } from "../../../server/mcp/audits/LocalAudits.ts"
import { reportOf } from "../ScriptedAuditor.ts"

const URL_OF_SITE = "https://docs.dev"
const RULES = { allowHttp: false, allowPrivate: false, allowPorts: false, resolve: [] }
const PLAN: PlanSummary = {
  before: { base_url: URL_OF_SITE, total_score: 50 },
  reportScore: 50,
  live: false,
  atLeast: false,
  score: 60,
  gains: [],
  unchecked: [],
  unjudged: [],
  files: [],
  todo: [],
  drift: { findings: [], more: 0 },
  pages: { withFiles: 0, known: 0, unopened: 0, limited: 0, all: null, section: null },
  difference: null,
  otherVersions: [],
  kept: [],
  cost: { estimator: "utf8-bytes/4", pages: null, operation: null },
  recipes: [],
  host: null
}

it("makes the plan of a local run once: for calls at the same time, for later ones, and although a call is cancelled; a failure is tried again", () => {
  const gate = Latch.makeUnsafe(true)
  let made = 0
  const plan = Effect.suspend(() => {
    made += 1
    return made === 1
      ? Effect.fail(new NotFixed({ reason: "internal", message: "The disk is full.", origin: "service" }))
      : Effect.as(gate.await, PLAN)
  })
  const audits = localAudits({
    ...RULES,
    auditor: Effect.succeed(() => Effect.succeed({ report: reportOf(URL_OF_SITE), plan, forget: Effect.void }))
  })
  return Effect.runPromise(
    Effect.provide(
      Effect.gen(function* () {
        const { plan, start, watch } = yield* Audits
        const { runId } = yield* start(URL_OF_SITE)
        yield* watch(runId, () => Effect.void)
        expect(yield* Effect.flip(plan(runId))).toMatchObject({ code: "internal" })
        yield* gate.close
        const cancelled = yield* Effect.forkChild(plan(runId), { startImmediately: true })
        const waiting = yield* Effect.forkChild(plan(runId), { startImmediately: true })
        yield* Effect.sleep("10 millis")
        yield* Fiber.interrupt(cancelled)
        yield* gate.open
        expect([yield* Fiber.join(waiting), yield* plan(runId), made]).toEqual([
          { plan: PLAN, zip: null },
          { plan: PLAN, zip: null },
          2
        ])
      }),
      audits
    )
  )
})
