import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { FaultKind } from "./Exchange.ts"
import { FetchLimits } from "./FetchLimits.ts"
import { type HostPace, makePace } from "./HostPace.ts"
import { makePatience, type Patience } from "./Patience.ts"
import { retryAfterMs } from "./RetryAfter.ts"
import { type Hop, type HopRequest, Transport } from "./Transport.ts"

export interface PolitenessOptions {
  /** When gathering ends, in milliseconds since the epoch; `gatherMs` from the layer's making where it is left out. */
  readonly deadline?: number
}

/** How one host is treated. */
interface Manners {
  readonly pace: HostPace
  readonly patience: Patience
}

/**
 * Manners over any transport: a few requests at once to a host, fewer when it is strained (`HostPace`), and another try
 * where a fault may pass: on connection faults, 429, 502, 503 and 504, with the wait that the server asks for. A wait that
 * would outlast gathering is not begun: the answer stands as it is. A host that lets every request run out of time is
 * asked no more (`Patience`). When all is well nothing is ever held back but by `perHost`.
 */
export const politely = (options: PolitenessOptions = {}): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function*() {
      const inner = yield* Transport
      const limits = yield* FetchLimits
      const deadline = options.deadline ?? (yield* Clock.currentTimeMillis) + limits.gatherMs
      const hosts = new Map<string, Manners>()
      let retriesLeft = limits.retriesPerAudit

      const mannersFor = (url: string): Manners => {
        const host = URL.parse(url)?.host ?? ""
        const manners = hosts.get(host) ?? { pace: makePace(limits.perHost), patience: makePatience() }
        hosts.set(host, manners)
        return manners
      }

      const send = Effect.fnUntraced(function*(request: HopRequest): Effect.fn.Return<Hop> {
        const { pace, patience } = mannersFor(request.asked.url)
        let attempts = 0
        for (let retry = 0;; retry++) {
          const hop = yield* pace.inTurn(request.rank ?? 0, Effect.suspend(() => (request.wanted?.() === false ? UNSENT : patience.ask(inner.send(request)))))
          attempts += hop.meta.attempts
          const now = yield* Clock.currentTimeMillis
          const wait = waitBefore(retry, hop, request, now)
          const isLast = wait === null || retry >= limits.retries || retriesLeft <= 0 || now + wait >= deadline
          if (isLast) return { ...hop, meta: { ...hop.meta, attempts } }
          retriesLeft -= 1
          if (askedFor(hop, now) !== null) yield* pace.pause(wait)
          yield* Effect.sleep(wait)
        }
      })
      return Transport.of({ send })
    })
  )

/** Whoever asked has no use for the answer any more. */
const UNSENT: Effect.Effect<Hop> = Effect.succeed({
  _tag: "HopFault",
  kind: "budget",
  message: "not sent: the bytes set aside are used up",
  meta: { peer: null, sentAt: 0, firstByteMs: null, totalMs: 0, attempts: 0 }
})

/** Doubled with each retry. */
const FIRST_BACKOFF_MS = 500

const PASSING_STATUS = new Set([429, 502, 503, 504])

/** Nothing was sent yet, so that sending again changes nothing. */
const NEVER_SENT: ReadonlySet<FaultKind> = new Set<FaultKind>(["refused", "connect_timeout"])

const mayPass = (hop: Hop, request: HopRequest): boolean => {
  if (hop._tag === "HopAnswer") return PASSING_STATUS.has(hop.status)
  return NEVER_SENT.has(hop.kind) || (hop.kind === "reset" && request.asked.method === "GET")
}

const askedFor = (hop: Hop, now: number): number | null => hop._tag === "HopAnswer" ? retryAfterMs(hop.headers, now) : null

/** Milliseconds to wait before sending again; `null` where that would not help. */
const waitBefore = (retry: number, hop: Hop, request: HopRequest, now: number): number | null =>
  mayPass(hop, request) ? Math.max(FIRST_BACKOFF_MS * 2 ** retry, askedFor(hop, now) ?? 0) : null
