import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { monotonicMillis } from "../process/MonotonicClock.ts"
import type { Stored } from "../store/database/StoreUnavailable.ts"
import { noteAbility } from "./AuditMetrics.ts"
import type { CannotAudit } from "./Auditor.ts"
import type { Claim } from "./queue/QueueStore.ts"

/** The claim of a run is over, so its audit must not go on. */
export class ClaimLost extends Schema.TaggedError<ClaimLost>()("ClaimLost", {
  domain: Schema.String,
  /** `taken`: another process has it, or an operator ended or deleted the run. `expired`: it could not be kept in time. */
  how: Schema.Literals(["taken", "expired"])
}) {}

/** The state of a claim in this process. */
interface KnownClaim {
  /** By the monotonic clock, in milliseconds. */
  endsAt: number
  isTaken: boolean
}

/** Maximum interval between checks whether the claim has ended, in milliseconds. */
const LOOK_MS = 1_000

interface KeepOptions {
  /** Keeps the claim for another while; false if it is over. */
  readonly keep: Stored<boolean>
  /** How long it may be relied on since it was asked to be kept, in milliseconds. */
  readonly validMs: number
  readonly heartbeatMs: number
}

/**
 * Runs `work`, which is told when the claim ends by the monotonic clock, while the claim lasts, and keeps the claim every `heartbeatMs`
 * milliseconds. Once it has ended by this process's own clock, the work is interrupted, even while the database does not respond: it does
 * not wait for a heartbeat that hangs. `rest` needs no claim and is not interrupted, but the claim is kept during it, too, so that no other
 * process takes the run over.
 */
export const whileClaimed = <A, E, R, B, E2, R2>(
  { endsAt, run: { domain } }: Pick<Claim, "endsAt"> & { readonly run: Pick<Claim["run"], "domain"> },
  { heartbeatMs, keep, validMs }: KeepOptions,
  work: (endsAt: () => number) => Effect.Effect<A, E, R>,
  rest: (worked: A) => Effect.Effect<B, E2, R2>
): Effect.Effect<B, E | E2 | ClaimLost, R | R2> => {
  const claim: KnownClaim = { endsAt, isTaken: false }

  const beat = Effect.gen(function* () {
    // Read before the request, because the claim is prolonged at some time after this.
    const askedAt = yield* monotonicMillis
    if (yield* keep) claim.endsAt = askedAt + validMs
    else claim.isTaken = true
  })
  const beating = Effect.ignore(beat).pipe(Effect.delay(heartbeatMs), Effect.forever)

  const watch = Effect.gen(function* () {
    while (!claim.isTaken) {
      const left = claim.endsAt - (yield* monotonicMillis)
      if (left <= 0) return yield* new ClaimLost({ domain, how: "expired" })
      yield* Effect.sleep(Math.min(left, heartbeatMs, LOOK_MS))
    }
    return yield* new ClaimLost({ domain, how: "taken" })
  })

  return Effect.acquireUseRelease(
    // Detached, because interrupting a statement on a dead connection can take seconds.
    Effect.forkDetach(beating),
    () =>
      Effect.flatMap(
        Effect.raceFirst(
          work(() => claim.endsAt),
          watch
        ),
        rest
      ),
    (fiber) => Effect.sync(() => fiber.interruptUnsafe())
  )
}

/** Keeps a process that cannot audit from claiming runs, one after the other. */
export interface ClaimPause {
  /** Begins a pause, or prolongs it. */
  readonly begin: (failure: CannotAudit) => Effect.Effect<void>
  readonly isOn: Effect.Effect<boolean>
  readonly awaitOver: Effect.Effect<void>
}

/** `pauseMs`: how long it leaves runs to others, in milliseconds. */
export const makeClaimPause = (pauseMs: number): ClaimPause => {
  let until = Number.NEGATIVE_INFINITY
  const left = Effect.map(monotonicMillis, (now) => Math.max(0, until - now))
  return {
    begin: Effect.fnUntraced(function* ({ message }) {
      until = (yield* monotonicMillis) + pauseMs
      yield* noteAbility(false)
      yield* Effect.logError(
        `this process takes no audits for ${pauseMs / 1_000} seconds, and leaves them to others: ${message}`
      )
    }),
    isOn: Effect.map(left, (millis) => millis > 0),
    awaitOver: Effect.flatMap(left, (millis) => (millis > 0 ? Effect.sleep(millis) : Effect.void))
  }
}
