import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Limits } from "../../engine/limit/Limits.ts"
import type { Client } from "../../engine/limit/ClientAddress.ts"
import type { Refusal } from "../../engine/limit/Verdict.ts"
import type { QueueFull } from "../../engine/schedule/Admission.ts"
import { Scheduler } from "../../engine/schedule/Scheduler.ts"
import { BLOCKED } from "../../engine/schedule/Result.ts"
import type { NewRun, Run } from "../../engine/store/Run.ts"
import type { StoreUnavailable } from "../../engine/store/RunStore.ts"
import { SiteBlocks } from "../../engine/store/SiteBlocks.ts"
import { type BadRequest, Unprocessable } from "../api/Errors.ts"
import { type FinishedRun, FinishedRuns } from "./FinishedRuns.ts"
import { makeReplays } from "./Replays.ts"
import { countRefusal } from "../observe/MeteredLimits.ts"
import { tooManyLookups } from "./LookupTurns.ts"
import { OPERATOR, type Target, Targets } from "./Targets.ts"

const BUSY = "Too many names are being looked up for operators. Try again in a few seconds."

/** What became of a request for an audit. */
export type Submitted =
  /** A report that stands for it is there. */
  | { readonly _tag: "Report"; readonly finished: FinishedRun }
  /** A run is accepted, or was joined. */
  | { readonly _tag: "UnderWay"; readonly runId: string }
  | Refusal

/** How a run came out. */
export type Outcome =
  | { readonly _tag: "Report"; readonly finished: FinishedRun }
  | { readonly _tag: "Failed"; readonly run: Run }

/** Asking for audits, in the order in which the contract says no. */
export class Submissions extends Context.Service<Submissions, {
  /**
   * `askers` are those whom it counts for, each alone: first the client's address, whose network the limit of runs and the
   * turns in the queue go by, then the registered client where there is one.
   */
  readonly submit: (baseUrl: unknown, askers: ReadonlyArray<Client>) => Effect.Effect<Submitted, BadRequest | Unprocessable | StoreUnavailable | QueueFull>
  /** Waits for the run to be over; fails where it was deleted meanwhile. To stop waiting does not stop the run. */
  readonly outcome: (runId: string) => Effect.Effect<Outcome, Unprocessable | StoreUnavailable>
  /** What an operator may have audited: `http:` and other ports, too, and no site that is blocked. Asks for nothing yet. */
  readonly wanted: (baseUrl: string) => Effect.Effect<NewRun, BadRequest | Unprocessable | StoreUnavailable>
  /** Forgets which reports stand for which addresses. */
  readonly forget: () => void
}>()("docgauge/server/Submissions") {
  static readonly layer: Layer.Layer<Submissions, never, Limits | Scheduler | SiteBlocks | Targets | FinishedRuns> = Layer.effect(
    Submissions,
    Effect.gen(function*() {
      const limits = yield* Limits
      const scheduler = yield* Scheduler
      const targets = yield* Targets
      const finishedRuns = yield* FinishedRuns
      const blocks = yield* SiteBlocks
      const replays = makeReplays(limits.targetWindowMs)

      const replayOf = Effect.fnUntraced(function*({ address }: Target) {
        const runId = replays.find(address, yield* Clock.currentTimeMillis)
        return runId === null ? null : yield* finishedRuns.get(runId)
      })

      const schedule = Effect.fnUntraced(function*(target: Target, askers: ReadonlyArray<Client>): Effect.fn.Return<Submitted, StoreUnavailable | QueueFull> {
        const age = replays.age()
        const submission = yield* scheduler.submit(target.run, askers.map(({ network }) => network))
        if (submission._tag === "Refusal") return submission
        const { run } = submission
        const finished = submission._tag === "Replayed" ? yield* finishedRuns.get(run.id) : null
        if (finished === null) return { _tag: "UnderWay", runId: run.id }
        if (replays.age() === age) replays.remember(run)
        return { _tag: "Report", finished }
      })

      const unblocked = Effect.fnUntraced(function*({ run: { site } }: Target) {
        if ((yield* blocks.covering(site)) !== null) return yield* new Unprocessable({ error: BLOCKED.message, code: "audit_failed" })
      })

      return {
        submit: Effect.fnUntraced(function*(baseUrl, askers) {
          const target = yield* targets.read(baseUrl)
          for (const asker of askers) {
            const verdict = yield* limits.submit(asker)
            if (verdict._tag === "Refusal") return verdict
          }
          const isLookedUp = yield* Effect.as(targets.lookUp(target, askers[0]?.network ?? "unknown"), true).pipe(
            Effect.catchTag("LookupsBusy", () => Effect.succeed(false))
          )
          if (!isLookedUp) return yield* Effect.as(countRefusal(tooManyLookups), tooManyLookups)
          const finished = yield* replayOf(target)
          if (finished !== null) return { _tag: "Report", finished }
          yield* unblocked(target)
          return yield* schedule(target, askers)
        }),
        outcome: Effect.fnUntraced(function*(runId) {
          const run = yield* scheduler.awaitDone(runId)
          const finished = run?.status === "done" ? yield* finishedRuns.get(runId) : null
          if (finished !== null) return { _tag: "Report", finished }
          if (run === null) return yield* new Unprocessable({ error: "An operator of this service has deleted the run.", code: "audit_failed" })
          return { _tag: "Failed", run }
        }),
        wanted: Effect.fnUntraced(function*(baseUrl) {
          const target = yield* targets.readForOperator(baseUrl)
          yield* Effect.catchTag(targets.lookUp(target, OPERATOR), "LookupsBusy", () => Effect.fail(new Unprocessable({ error: BUSY })))
          yield* unblocked(target)
          return target.run
        }),
        forget: replays.forget
      }
    })
  )
}
