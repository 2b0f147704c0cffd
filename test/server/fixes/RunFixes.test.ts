import * as NodeServices from "@effect/platform-node/NodeServices"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as HttpRouter from "effect/http/HttpRouter"
import * as TestClock from "effect/testing/TestClock"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import type { PlanSummary } from "../../../engine/fix/plan/PlanSummary.ts"
import { clientOf } from "../../../engine/limit/ClientAddress.ts"
import { Limits } from "../../../engine/limit/Limits.ts"
import { layerMemory } from "../../../engine/limit/LimitStore.ts"
import { AuditProcessDied } from "../../../engine/process/AuditProcess.ts"
import { AuditProcesses } from "../../../engine/process/AuditProcesses.ts"
import { longestFix } from "../../../engine/process/ProcessLimits.ts"
import { type AuditEnd, type FixTask, PLAN_FILE, PLAN_JSON_FILE, ZIP_FILE } from "../../../engine/process/AuditTask.ts"
import { ArchiveStore } from "../../../engine/store/archives/ArchiveStore.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { FinishedRuns } from "../../../server/audits/FinishedRuns.ts"
import { Submissions } from "../../../server/audits/Submissions.ts"
import { Targets } from "../../../server/audits/Targets.ts"
import { RunReading } from "../../../server/audits/RunReading.ts"
import { RubricInForce } from "../../../server/config/RubricInForce.ts"
import { RunFixes } from "../../../server/fixes/RunFixes.ts"
import { Clients } from "../../../server/http/request/Clients.ts"
import { Audits } from "../../../server/mcp/audits/Audits.ts"
import { callerOf, McpCaller, serviceAudits } from "../../../server/mcp/audits/ServiceAudits.ts"
import { fixRoutes } from "../../../server/pages/fix/FixRoutes.ts"
import { ResponseCache } from "../../../server/response/ResponseCache.ts"
import { LIMITLESS } from "../../schedule/TestService.ts"

const PLAN: PlanSummary = {
  before: { base_url: "https://docs.dev", total_score: 50 },
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

const rubric = await Effect.runPromise(
  Effect.provide(RubricInForce, RubricInForce.layer.pipe(Layer.provide(NodeServices.layer)))
)

const END: AuditEnd = { failure: null, durationMs: 1, bytes: 0 }

const idOf = (number: number): string => `01934f7a-1c2d-7e3f-8a4b-${String(number).padStart(12, "0")}`

const runOf = (number: number, domain = "docs.dev"): Run => ({
  id: idOf(number),
  status: "done",
  url: `https://${domain}`,
  site: domain,
  domain,
  rubricDigest: "sha256:0",
  asAgents: false,
  startedAt: "2026-11-21T00:00:00.000000Z",
  finishedAt: "2026-11-21T00:00:01.000000Z",
  attempts: 1,
  progress: { done: 1, total: 1 },
  totalScore: 50,
  reliable: true,
  error: null
})

const client = (address: string) => clientOf({ peer: address, forwardedFor: null }, 0)
const ANN = client("192.0.2.1")
/** In the network of Ann. */
const ANNE = client("192.0.2.2")
const BOB = client("198.51.100.1")
const CLEO = client("198.51.101.1")

/** Two runs for each of four networks, which are all the places that there are. */
const eightOfFour = (): ReadonlyArray<readonly [number: number, of: typeof ANN]> =>
  [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, client(`203.0.${Math.ceil(number / 2)}.1`)])

type Make = (task: FixTask) => Effect.Effect<AuditEnd, AuditProcessDied>

const makePlan: Make = ({ folder }) =>
  Effect.sync(() => {
    writeFileSync(join(folder, PLAN_FILE), JSON.stringify(PLAN))
    writeFileSync(join(folder, PLAN_JSON_FILE), "{}")
    writeFileSync(join(folder, ZIP_FILE), "")
    return END
  })

/** Processes that note what they are asked for, and hold each making up until the gate is opened. */
const scripted = (make: Make = makePlan, cache: Layer.Layer<ResponseCache> = ResponseCache.layer) => {
  const gate = Latch.makeUnsafe(true)
  const deleted = new Set<string>()
  const state = {
    made: 0,
    /** Ids of runs, in the order in which their archives were read. */
    order: new Array<string>(),
    /** Time limits of the makings, in milliseconds. */
    limits: new Array<number>(),
    gate,
    deleted,
    archive: Stream.make<[Uint8Array]>(new Uint8Array(1))
  }
  const fix: Make = (task) =>
    Effect.suspend(() => {
      state.made += 1
      state.limits.push(longestFix(task))
      return Effect.andThen(gate.await, make(task))
    })
  const store = Layer.mock(RunStore, { find: (id) => Effect.succeed(deleted.has(id) ? null : { ...runOf(0), id }) })
  const limits = Limits.layerOf({ ...LIMITLESS, fix: { amount: 100, windowMs: 60_000 } }).pipe(
    Layer.provide(layerMemory)
  )
  const fixes = RunFixes.layerOver.pipe(
    Layer.provide([
      Layer.mock(AuditProcesses, { fix }),
      Layer.mock(ArchiveStore, {
        has: () => Effect.succeed(true),
        read: (id) => Effect.sync(() => (state.order.push(id), { size: 1, content: state.archive }))
      }),
      Layer.succeed(RubricInForce, rubric)
    ])
  )
  const audits = serviceAudits.pipe(
    Layer.provide([
      Layer.mock(RunHistory, {}),
      Layer.mock(Submissions, {}),
      Layer.mock(Targets, {}),
      Layer.mock(FinishedRuns, {})
    ])
  )
  const layer = audits.pipe(
    Layer.provideMerge(fixes),
    Layer.provideMerge([limits, store, cache]),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({})))
  )
  const pages = fixRoutes.pipe(
    Layer.provide([Layer.mock(RunReading, { find: (id) => Effect.succeed({ ...runOf(0), id }) }), Clients.layer]),
    Layer.provide(layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({})))
  )
  return {
    state,
    pages,
    run: <A, E>(effect: Effect.Effect<A, E, RunFixes | Audits | ResponseCache>): Promise<A> =>
      Effect.runPromise(Effect.provide(effect, layer))
  }
}

const now = { startImmediately: true }

const reasonOf = (number: number, of = ANN, domain?: string) =>
  Effect.flatMap(RunFixes, (fixes) => fixes.get(runOf(number, domain), [of])).pipe(
    Effect.as("made"),
    Effect.catchTags({
      NoFixes: ({ reason }) => Effect.succeed(reason),
      FixesLimited: ({
        refusal: {
          retryAfter,
          standing: { policy }
        }
      }) => Effect.succeed(`${policy} ${retryAfter}`)
    })
  )

const begun = Effect.fnUntraced(function* (number: number, of = ANN, domain?: string) {
  const fiber = yield* Effect.forkChild(reasonOf(number, of, domain), now)
  yield* Effect.yieldNow
  return fiber
})

/** Until the processes were asked. */
const untilMaking = ({ made }: { readonly made: number }, state: { readonly made: number }) =>
  Effect.gen(function* () {
    while (state.made === made) yield* Effect.promise(() => nextTurn())
  })

describe("plans of several runs", () => {
  it("are at most two of one client network that wait or are made, so that other clients find a place", () => {
    const { run, state } = scripted()
    return run(
      Effect.gen(function* () {
        yield* state.gate.close
        const fibers = [yield* begun(1), yield* begun(2, ANNE)]
        expect(yield* reasonOf(3)).toBe("plans 20")
        expect(yield* reasonOf(3, ANNE)).toBe("plans 20")
        fibers.push(yield* begun(1), yield* begun(4, BOB))
        yield* state.gate.open
        expect(yield* Fiber.joinAll(fibers)).toEqual(["made", "made", "made", "made"])
        expect(yield* reasonOf(3)).toBe("made")
      })
    )
  })

  it("are made by turns of client networks", () => {
    const { run, state } = scripted()
    return run(
      Effect.gen(function* () {
        yield* state.gate.close
        const fibers = [yield* begun(1, ANN), yield* begun(2, ANNE), yield* begun(3, BOB), yield* begun(4, CLEO)]
        yield* state.gate.open
        expect(yield* Fiber.joinAll(fibers)).toEqual(["made", "made", "made", "made"])
        expect(state.order).toEqual([1, 3, 4, 2].map(idOf))
      })
    )
  })

  it("come after that of a network that had no turn yet, if theirs had one lately", () => {
    const { run, state } = scripted()
    return run(
      Effect.gen(function* () {
        expect([yield* reasonOf(1, ANN), yield* reasonOf(2, BOB)]).toEqual(["made", "made"])
        yield* state.gate.close
        const fibers = [yield* begun(3, ANN), yield* begun(4, BOB), yield* begun(5, ANN), yield* begun(6, CLEO)]
        yield* state.gate.open
        yield* Fiber.joinAll(fibers)
        expect(state.order.slice(2)).toEqual([3, 6, 4, 5].map(idOf))
      })
    )
  })

  it("take no place that another network asks for which has two fewer waiting: the newest of theirs is refused", () => {
    const { run, state } = scripted()
    return run(
      Effect.gen(function* () {
        yield* state.gate.close
        const [first, ...others] = yield* Effect.forEach(eightOfFour(), ([number, of]) => begun(number, of))
        const innocent = yield* Effect.forEach([11, 12, 13], (number) => begun(number, client(`203.0.${number}.1`)))
        // Every network has one waiting now.
        expect(yield* reasonOf(14, client("203.0.14.1"))).toBe("busy")
        yield* state.gate.open
        expect(yield* Fiber.joinAll(innocent)).toEqual(["made", "made", "made"])
        if (first === undefined) throw new Error("none was begun")
        expect(yield* Fiber.join(first)).toBe("made")
        // In pairs of one network: the second of three networks gave way.
        expect(yield* Fiber.joinAll(others)).toEqual(["made", "made", "busy", "made", "busy", "made", "busy"])
      })
    )
  })

  it("that give way are refused to all who wait for them, and are made when they are asked for again", () => {
    const { run, state } = scripted()
    return run(
      Effect.gen(function* () {
        yield* state.gate.close
        yield* Effect.forEach(eightOfFour(), ([number, of]) => begun(number, of))
        const joined = yield* begun(8, BOB)
        yield* begun(11, CLEO)
        expect(yield* Fiber.join(joined)).toBe("busy")
        yield* state.gate.open
        expect(yield* reasonOf(8, BOB)).toBe("made")
      })
    )
  })
})

describe("plans of a domain whose plan took longer than a third of the time limit", () => {
  const slowOnce = (state: { readonly gate: Latch.Latch; readonly made: number }) =>
    Effect.gen(function* () {
      yield* state.gate.close
      const first = yield* begun(1, client("203.0.1.1"), "slow.dev")
      yield* untilMaking({ made: 0 }, state)
      return { first, end: Effect.andThen(TestClock.adjust("20100 millis"), state.gate.open) }
    })

  it("come last: four networks that ask for two of them each do not keep a fifth from being the next", () => {
    const { run, state } = scripted()
    return run(
      Effect.gen(function* () {
        const { end, first } = yield* slowOnce(state)
        const others = yield* Effect.forEach(eightOfFour().slice(1), ([number, of]) => begun(number, of, "slow.dev"))
        const innocent = yield* begun(11, BOB)
        yield* end
        yield* Fiber.joinAll([first, ...others, innocent])
        expect(state.order.slice(0, 3)).toEqual([1, 11, 3].map(idOf))
      }).pipe(Effect.provide(TestClock.layer()))
    )
  })

  it("have half of the time, until one of them is made sooner", () => {
    const { run, state } = scripted()
    return run(
      Effect.gen(function* () {
        const { end, first } = yield* slowOnce(state)
        const others = [
          yield* begun(2, CLEO, "slow.dev"),
          yield* begun(3, BOB, "slow.dev"),
          yield* begun(4, ANN, "other.dev")
        ]
        yield* end
        yield* Fiber.joinAll([first, ...others])
        expect(state.order).toEqual([1, 4, 2, 3].map(idOf))
        expect(state.limits).toEqual([60_000, 60_000, 30_000, 60_000])
      }).pipe(Effect.provide(TestClock.layer()))
    )
  })

  it("give their place to one that may be quick", () => {
    const { run, state } = scripted()
    return run(
      Effect.gen(function* () {
        const { end, first } = yield* slowOnce(state)
        yield* end
        yield* Fiber.join(first)
        yield* state.gate.close
        yield* begun(10, ANN)
        const others = yield* Effect.forEach([2, 3, 4, 5, 6, 7, 8], (number) =>
          begun(number, client(`203.0.${number}.1`), "slow.dev")
        )
        const innocent = yield* begun(11, BOB)
        yield* state.gate.open
        expect(yield* Fiber.join(innocent)).toBe("made")
        expect(yield* Fiber.joinAll(others)).toEqual(["made", "made", "made", "made", "made", "made", "busy"])
      }).pipe(Effect.provide(TestClock.layer()))
    )
  })
})

describe("a failure", () => {
  it.each(["timed_out", "out_of_memory", "crashed"] as const)("is kept if the archive is the cause: %s", (reason) => {
    const { run, state } = scripted(() => Effect.fail(new AuditProcessDied({ reason, detail: "" })))
    return run(
      Effect.gen(function* () {
        const first = yield* reasonOf(1)
        expect([first, yield* reasonOf(1), state.made]).toEqual([
          reason === "crashed" ? "internal" : "unusable",
          first,
          1
        ])
      })
    )
  })

  it.each([
    [
      "the disk is full",
      () =>
        Effect.succeed({ ...END, failure: { error: { code: "internal", message: "The disk is full." }, advice: null } })
    ],
    ["memory is short", () => Effect.fail(new AuditProcessDied({ reason: "killed", detail: "" }))]
  ] as const)("is not kept if it is a fault of the service: %s", (_fault, make) => {
    const { run, state } = scripted(make)
    return run(
      Effect.gen(function* () {
        expect([yield* reasonOf(1), yield* reasonOf(1), state.made]).toEqual(["internal", "internal", 2])
      })
    )
  })

  it("to write the archive to a temporary file says what the operator must do, and is not kept", () => {
    const { run, state } = scripted()
    return run(
      Effect.gen(function* () {
        const whole = state.archive
        // The file system refuses it.
        state.archive = Stream.make(null as unknown as Uint8Array)
        const refused = yield* Effect.flip(Effect.flatMap(RunFixes, (fixes) => fixes.get(runOf(1), [ANN])))
        expect(refused).toMatchObject({
          _tag: "NoFixes",
          reason: "internal",
          message: expect.stringContaining("cannot write to its temporary folder")
        })
        state.archive = whole
        expect(yield* reasonOf(1)).toBe("made")
      })
    )
  })
})

describe("a run that is deleted while its plan is made", () => {
  it("has no plan for those who wait, nor for later ones", () => {
    const { run, state } = scripted()
    return run(
      Effect.gen(function* () {
        yield* state.gate.close
        const waiting = [yield* begun(1), yield* begun(1, BOB)]
        yield* untilMaking({ made: 0 }, state)
        state.deleted.add(idOf(1))
        yield* state.gate.open
        expect(yield* Fiber.joinAll(waiting)).toEqual(["deleted", "deleted"])
        expect(yield* reasonOf(1)).toBe("deleted")
        expect(state.made).toBe(2)
      })
    )
  })

  it("keeps no failure either", () => {
    const { run, state } = scripted(() => Effect.fail(new AuditProcessDied({ reason: "timed_out", detail: "" })))
    return run(
      Effect.gen(function* () {
        state.deleted.add(idOf(1))
        expect([yield* reasonOf(1), yield* reasonOf(1), state.made]).toEqual(["deleted", "deleted", 2])
      })
    )
  })

  it("is no run any more for agents, while its plan is made and after", () => {
    const { run, state } = scripted()
    return run(
      Effect.gen(function* () {
        const { plan } = yield* Audits
        const asked = (number: number) =>
          Effect.flip(Effect.provideService(plan(idOf(number)), McpCaller, callerOf("grant", ANN, 10)))
        yield* state.gate.close
        const waiting = yield* Effect.forkChild(asked(1), now)
        yield* untilMaking({ made: 0 }, state)
        state.deleted.add(idOf(1))
        yield* state.gate.open
        expect(yield* Fiber.join(waiting)).toMatchObject({ code: "not_found" })
        expect(yield* reasonOf(2)).toBe("made")
        state.deleted.add(idOf(2))
        expect(yield* asked(2)).toMatchObject({ code: "not_found" })
      })
    )
  })
})

describe("the forms of a plan", () => {
  it("are cached once, and answered from the cache without the plan", async () => {
    const keys: Array<string> = []
    // A cache that forgets plans.
    const forgetful = Layer.effect(
      ResponseCache,
      Effect.map(ResponseCache, (cache) => ({
        ...cache,
        get: (key, type, make, timeToLive) => {
          keys.push(key)
          return key.startsWith("fixes:") ? make : cache.get(key, type, make, timeToLive)
        }
      }))
    ).pipe(Layer.provide(ResponseCache.layer))
    const { pages, state } = scripted(makePlan, forgetful)
    const { dispose, handler } = HttpRouter.toWebHandler(pages, { disableLogger: true })
    const statusAt = async (form: string): Promise<number> =>
      (await handler(new Request(`http://localhost/r/${idOf(1)}/${form}`))).status
    try {
      expect([await statusAt("fix.md"), await statusAt("fix.md"), state.made]).toEqual([200, 200, 1])
      expect([await statusAt("fix.json"), await statusAt("fixes.zip"), state.made]).toEqual([200, 200, 3])
      expect(new Set(keys)).toEqual(new Set([`fixes:${idOf(1)}`, `fix.md:${idOf(1)}`]))
    } finally {
      await dispose()
    }
  })
})
