import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Deferred from "effect/Deferred"
import * as Fiber from "effect/Fiber"
import type { Asked, FaultKind } from "./Exchange.ts"

/** What one hop came to: no redirect is followed, nothing is memoised here. */
export type Hop = HopAnswer | HopFault

export interface HopAnswer {
  readonly _tag: "HopAnswer"
  readonly status: number
  /** As received, names in lower case, in order. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** Decompressed; at most `limitBytes`. */
  readonly body: Uint8Array
  readonly cut: boolean
  readonly wireBytes: number
  /** How long the body was, where it was let go of because no reservation had room for it: `body` is empty then, and `cut`. */
  readonly droppedBytes?: number
  /** Length of the body where an archive holds only its beginning, and no criterion reads beyond that. */
  readonly bodyBytes?: number
  /** The host answered 429, or 503 with `Retry-After`, before it gave this answer: nothing that a plugin sees. */
  readonly rateLimited?: true
  readonly meta: HopMeta
}

export interface HopFault {
  readonly _tag: "HopFault"
  readonly kind: FaultKind
  readonly message: string
  /** As `HopAnswer.rateLimited`. */
  readonly rateLimited?: true
  readonly meta: HopMeta
}

/** For the journal only: what may differ between two runs that saw the same. */
export interface HopMeta {
  /** The connected address, such as `203.0.113.7`; `null` where there was no connection. */
  readonly peer: string | null
  /** Milliseconds since the epoch at which the (last) attempt was sent. */
  readonly sentAt: number
  readonly firstByteMs: number | null
  /** How often it was sent: 1, and 1 more for each retry. */
  readonly attempts: number
}

/** Of a hop for which nothing was sent. */
export const NOTHING_SENT: HopMeta = { peer: null, sentAt: 0, firstByteMs: null, attempts: 1 }

/** A hop that failed; `message` is a clause without the URL. */
export const hopFault = (kind: FaultKind, message: string, meta: HopMeta = NOTHING_SENT): HopFault => ({
  _tag: "HopFault",
  kind,
  message,
  meta
})

export interface HopRequest {
  readonly asked: Asked
  /** Longest body to keep, before and after decompression. */
  readonly limitBytes: number
  /** Sent besides the usual headers, names in lower case. No archive has them. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as HEAD: the answer has no body. Left out: as `asked` says. */
  readonly headOnly?: true
  /** Where several wait for their turn, the lowest is sent first; 0 where it is left out. */
  readonly rank?: number
  /**
   * Asked when the request's turn has come: where it says no, nothing is sent, and the hop is a `budget` fault. Left
   * out: always yes.
   */
  readonly wanted?: () => boolean
}

/** Carries one request out: over the guarded network, from an archive, or from a fake site. Never fails. */
export class Transport extends Context.Service<
  Transport,
  {
    readonly send: (request: HopRequest) => Effect.Effect<Hop>
  }
>()("docgauge/evidence/Transport") {}

/** Called by a transport over the network once the connection of a request is open. */
export const ConnectionOpened = Context.Reference<() => void>("docgauge/evidence/ConnectionOpened", {
  defaultValue: () => () => {}
})

/**
 * Starts a request, and goes on once its connection is open or its answer is there. What comes next may then keep this thread
 * busy, such as loading code, while the site answers.
 */
export const underWay = Effect.fnUntraced(function* <A, E, R>(
  request: Effect.Effect<A, E, R>
): Effect.fn.Return<Fiber.Fiber<A, E>, never, R> {
  const opened = Deferred.makeUnsafe<void>()
  const fiber = yield* request.pipe(
    Effect.provideService(ConnectionOpened, () => Deferred.doneUnsafe(opened, Effect.void)),
    Effect.forkChild({ startImmediately: true })
  )
  yield* Effect.raceFirst(Deferred.await(opened), Fiber.await(fiber))
  // The request is written in this turn of the event loop.
  yield* Effect.yieldNow
  return fiber
})
