import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Claim } from "./QueueStore.ts"
import type { Leases } from "./Leases.ts"
import { monotonicMillis } from "../process/MonotonicClock.ts"

/** The lease of the domain is over, so the audit must not go on. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", {
  domain: Schema.String,
  /** `taken`: another process holds it, or an operator revoked it. `expired`: it could not be renewed in time. */
  how: Schema.Literals(["taken", "expired"])
}) {}

/** The state of a lease in this process. */
interface KnownLease {
  /** By the monotonic clock, in milliseconds. */
  endsAt: number
  isTaken: boolean
}

/** Maximum interval between checks whether the lease has ended, in milliseconds. */
const LOOK_MS = 1_000

/**
 * Runs `work`, which is told when the lease ends by the monotonic clock, while the lease of its domain lasts, and renews the lease every `heartbeatMs` milliseconds. Once the lease has
 * ended by this process's own clock, the work is interrupted, even while the database does not respond: it does not wait for a
 * renewal that hangs. `rest` needs no lease and is not interrupted, but the lease is renewed during it, too, so that no other
 * process takes the run over.
 */
export const whileLeased = <A, E, R, B, E2, R2>(
  leases: Leases["Service"],
  { endsAt, run: { domain, id } }: Claim,
  heartbeatMs: number,
  work: (endsAt: () => number) => Effect.Effect<A, E, R>,
  rest: (worked: A) => Effect.Effect<B, E2, R2>
): Effect.Effect<B, E | E2 | LeaseLost, R | R2> => {
  const lease: KnownLease = { endsAt, isTaken: false }

  const renew = Effect.gen(function* () {
    // Read before the request, because the lease is renewed at some time after this.
    const askedAt = yield* monotonicMillis
    if (yield* leases.renew(domain, id)) lease.endsAt = askedAt + leases.validMs
    else lease.isTaken = true
  })
  const renewing = Effect.ignore(renew).pipe(Effect.delay(heartbeatMs), Effect.forever)

  const watch = Effect.gen(function* () {
    while (!lease.isTaken) {
      const left = lease.endsAt - (yield* monotonicMillis)
      if (left <= 0) return yield* new LeaseLost({ domain, how: "expired" })
      yield* Effect.sleep(Math.min(left, heartbeatMs, LOOK_MS))
    }
    return yield* new LeaseLost({ domain, how: "taken" })
  })

  return Effect.acquireUseRelease(
    // Detached, because interrupting a statement on a dead connection can take seconds.
    Effect.forkDetach(renewing),
    () =>
      Effect.flatMap(
        Effect.raceFirst(
          work(() => lease.endsAt),
          watch
        ),
        rest
      ),
    (fiber) => Effect.sync(() => fiber.interruptUnsafe())
  )
}
