import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { mostSent, REQUESTS_AS_AGENTS } from "../AuditBudget.ts"
import type { FaultKind } from "../Exchange.ts"
import { FetchLimits } from "../FetchLimits.ts"
import { type Hop, hopFault, type HopRequest, Transport } from "../Transport.ts"
import { type HostPace, makePace } from "./HostPace.ts"
import { makeRateLimitWaits, rateLimitAnswer, type RateLimitWaits, type RefusedRequest } from "./RateLimits.ts"

export interface PolitenessOptions {
  /** When gathering ends, in milliseconds since the epoch; `gatherMs` from the layer's making where it is left out. */
  readonly deadline?: number
}

/** How many requests of a kind may be sent, and were. */
interface Quota {
  readonly of: string
  readonly most: number
  sent: number
}

/** What is known of one host, and how requests to it are held back. */
interface HostState {
  readonly pace: HostPace
  readonly patience: Patience
  readonly waits: RateLimitWaits
}

/**
 * A transport that limits concurrency per host, lowers it under strain (`HostPace`), and retries transient faults. A 429, or a 503 with
 * `Retry-After`, pauses the whole host (`RateLimitWaits`); the request is retried as long as gathering time and the requests of the audit
 * (`mostSent`, redirects and retries included) allow. Connection faults, 502, 503 and 504 are retried a fixed number of times. A wait that would exceed the gathering
 * deadline is skipped and the response returned as is. A host whose requests keep timing out gets no more (`Patience`).
 */
export const politely = (options: PolitenessOptions = {}): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const inner = yield* Transport
      const limits = yield* FetchLimits
      const deadline = options.deadline ?? (yield* Clock.currentTimeMillis) + limits.gatherMs
      const hosts = new Map<string, HostState>()
      let retriesLeft = limits.retriesPerAudit
      const own: Quota = { of: "of one audit", most: mostSent(limits.requests), sent: 0 }
      const asAgents: Quota = { of: "as agents", most: REQUESTS_AS_AGENTS, sent: 0 }
      let repeated = false
      // A site that refuses requests until none is left has limited the rate.
      const usedUp = ({ most, of }: Quota): Hop =>
        repeated ? REFUSED : unsent("too_many_requests", `we reached the limit of ${most} requests ${of}`)

      const stateOf = (url: string): HostState => {
        const host = URL.parse(url)?.host ?? ""
        const state = hosts.get(host) ?? {
          pace: makePace(limits.perHost),
          patience: makePatience(),
          waits: makeRateLimitWaits(deadline)
        }
        hosts.set(host, state)
        return state
      }

      const send = Effect.fnUntraced(function* (request: HopRequest): Effect.fn.Return<Hop> {
        const { pace, patience, waits } = stateOf(request.asked.url)
        const quota = request.asked.sentAs === undefined ? own : asAgents
        const isUsedUp = (): boolean => quota.sent >= quota.most
        const instead = (): Hop | null =>
          request.wanted?.() === false ? UNSENT : waits.isGivenUp() ? NOT_ASKED : isUsedUp() ? usedUp(quota) : null
        const refused: RefusedRequest = { round: 0, acceptedBefore: null, alone: 0 }
        const sendOnce = Effect.suspend(() => {
          if (isUsedUp()) return Effect.succeed(usedUp(quota))
          quota.sent += 1
          waits.sending(refused)
          return inner.send(request)
        })
        let attempts = 0
        let retry = 0
        for (;;) {
          const hop = yield* pace.inTurn(request.rank ?? 0, instead, patience.ask(sendOnce))
          attempts += hop.meta.attempts
          const now = yield* Clock.currentTimeMillis
          const limited = rateLimitAnswer(hop, now)
          const result: Hop = {
            ...hop,
            ...(refused.acceptedBefore === null ? {} : { rateLimited: true }),
            meta: { ...hop.meta, attempts, sentAt: hop.meta.attempts === 0 ? now : hop.meta.sentAt }
          }
          if (limited !== null) {
            const wait = waits.after(limited, refused, pace.strikes(), now)
            if (wait.for === null || isUsedUp()) return result
            repeated = true
            if (wait.byAll) yield* pace.pause(wait.for)
            else yield* Effect.sleep(wait.for)
            continue
          }
          if (hop._tag === "HopAnswer") waits.accepted()
          const wait = FIRST_BACKOFF_MS * 2 ** retry
          const isLast = retry >= limits.retries || retriesLeft <= 0 || now + wait >= deadline || isUsedUp()
          if (!mayPass(hop, request) || isLast) return result
          retry += 1
          retriesLeft -= 1
          yield* Effect.sleep(wait)
        }
      })
      return Transport.of({ send })
    })
  )

const unsent = (kind: FaultKind, message: string): Hop => ({
  _tag: "HopFault",
  kind,
  message,
  meta: { peer: null, sentAt: 0, firstByteMs: null, attempts: 0 }
})

/** The caller has no use for the answer any more. */
const UNSENT = unsent("budget", "not sent: we reached the limit of bytes for such requests")

const NOT_ASKED = unsent("rate_limited", "given up: the site's rate limit lasts longer than the time left for fetching")

const REFUSED = unsent("rate_limited", "given up: retries of refused requests used up the requests of this audit")

/** Doubled with each retry. */
const FIRST_BACKOFF_MS = 500

const PASSING_STATUS = new Set([429, 502, 503, 504])

/** Nothing was sent yet, so that sending again changes nothing. */
const NEVER_SENT: ReadonlySet<FaultKind> = new Set<FaultKind>(["refused", "connect_timeout"])

const mayPass = (hop: Hop, request: HopRequest): boolean => {
  if (hop._tag === "HopAnswer") return PASSING_STATUS.has(hop.status)
  return NEVER_SENT.has(hop.kind) || (hop.kind === "reset" && request.asked.method === "GET")
}

/** How long one host is asked that lets requests run out of time. */
interface Patience {
  /** Sends, and counts what comes of it. Once the host is given up on, what is under way and what follows is an `unresponsive` fault. */
  readonly ask: (send: Effect.Effect<Hop>) => Effect.Effect<Hop>
}

/** Requests of an audit that ran out of time, in a row or not, after which their host is given up on. */
const MOST_OUT_OF_TIME = 5

const OUT_OF_TIME: ReadonlySet<FaultKind> = new Set<FaultKind>(["first_byte_timeout", "stalled", "exchange_timeout"])

/**
 * Gives a host up after `MOST_OUT_OF_TIME` requests that ran out of time. Answers in between do not count: with one now and then, a
 * site could keep its audit, and all that wait for it, as long as gathering lasts.
 */
const makePatience = (): Patience => {
  const givenUp = Latch.makeUnsafe(false)
  let outOfTime = 0

  const note = (hop: Hop): Effect.Effect<void> =>
    Effect.sync(() => {
      if (hop._tag === "HopAnswer" || !OUT_OF_TIME.has(hop.kind)) return
      outOfTime += 1
      if (outOfTime >= MOST_OUT_OF_TIME) givenUp.openUnsafe()
    })

  return {
    ask: (send) =>
      Effect.suspend(() =>
        outOfTime >= MOST_OUT_OF_TIME
          ? unresponsive(0)
          : Effect.tap(Effect.raceFirst(Effect.andThen(givenUp.await, unresponsive(1)), send), note)
      )
  }
}

/** `attempts`: whether it was sent. */
const unresponsive = (attempts: 0 | 1): Effect.Effect<Hop> =>
  Effect.map(Clock.currentTimeMillis, (sentAt) =>
    hopFault("unresponsive", `given up: ${MOST_OUT_OF_TIME} requests timed out`, {
      peer: null,
      sentAt,
      firstByteMs: null,
      attempts
    })
  )
