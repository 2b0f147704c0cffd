import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Claim } from "./AuditQueue.ts"
import type { Leases } from "./Leases.ts"
import { monotonicMillis } from "./MonotonicClock.ts"

/** The lease of the domain is over, so the audit must not go on. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", {
  domain: Schema.String,
  /** `taken`: another process has it, or an operator revoked it. `expired`: it could not be renewed in time. */
  how: Schema.Literals(["taken", "expired"])
}) {}

/** What is known here of a lease. */
interface KnownLease {
  /** By the monotonic clock, in milliseconds. */
  endsAt: number
  isTaken: boolean
}

/** How often the end of a lease is looked at where it may not end by itself, in milliseconds. */
const LOOK_MS = 1_000

/**
 * Runs `work` for as long as the lease of its domain lasts, which is renewed every `heartbeatMs` milliseconds. Once it has
 * ended by this process's own clock the work is interrupted, also while the database does not answer: a renewal that
 * hangs is not waited for.
 */
export const whileLeased = <A, E, R>(
  leases: Leases["Service"],
  { endsAt, run: { domain, id } }: Claim,
  heartbeatMs: number,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E | LeaseLost, R> => {
  const lease: KnownLease = { endsAt, isTaken: false }

  const renew = Effect.gen(function*() {
    // Before it is asked for, since it is not known when the answer set out.
    const askedAt = yield* monotonicMillis
    if (yield* leases.renew(domain, id)) lease.endsAt = askedAt + leases.validMs
    else lease.isTaken = true
  })
  const renewing = Effect.ignore(renew).pipe(Effect.delay(heartbeatMs), Effect.forever)

  const watch = Effect.gen(function*() {
    while (!lease.isTaken) {
      const left = lease.endsAt - (yield* monotonicMillis)
      if (left <= 0) return yield* new LeaseLost({ domain, how: "expired" })
      yield* Effect.sleep(Math.min(left, heartbeatMs, LOOK_MS))
    }
    return yield* new LeaseLost({ domain, how: "taken" })
  })

  return Effect.acquireUseRelease(
    // Detached: a statement on a connection that is cut off can be interrupted only after seconds.
    Effect.forkDetach(renewing),
    () => Effect.raceFirst(work, watch),
    (fiber) => Effect.sync(() => fiber.interruptUnsafe())
  )
}
