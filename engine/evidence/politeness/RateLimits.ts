import { httpDateMs } from "../../text/HttpValues.ts"
import { firstHeaderIn, type Headers, isChallengeError } from "../Exchange.ts"
import type { Hop } from "../Transport.ts"

/** How long rate-limited requests to one host wait. All times are milliseconds since the epoch. */
export interface RateLimitWaits {
  /** The request is sent now, for the first time or again. */
  readonly sending: (request: RefusedRequest) => void
  /** An answer that was not rate limited. */
  readonly accepted: () => void
  /** What to do after a rate-limited answer that came `now`; `strikes` as `SendRate.strikes`. `request` is updated. */
  readonly after: (answer: RateLimitAnswer, request: RefusedRequest, strikes: number, now: number) => Wait
  /** The host keeps asking for waits longer than gathering lasts, so nothing more is sent to it. */
  readonly isGivenUp: () => boolean
}

/** `for`: milliseconds until the request is sent again, `null`: its answer is final. `byAll`: all requests to the host wait. */
interface Wait {
  readonly for: number | null
  readonly byAll: boolean
}

/** What one request knows of its own rate-limited answers. */
export interface RefusedRequest {
  /** The round of the host's answers in which it was last sent. */
  round: number
  /** Answers of the host that were not rate limited, as of this request's last one that was. */
  acceptedBefore: number | null
  /** Rate-limited answers in a row between which the host answered other requests. */
  alone: number
}

/** Doubled with each strike, up to `LONGEST_BACKOFF_MS`. */
const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 16_000

/** Strikes after which a host that never names a time is not waited for: 15.5 seconds of backoff. */
const STRIKES_WITHOUT_RETRY_AFTER = 5

/** From then on a request that is refused alone waits alone: the limit is its URL's, not the host's. */
const ALONE = 2

/** After this many refusals of one request alone, its answer is final. */
const TOO_OFTEN_ALONE = 5

/**
 * Answers in a row that ask for too long a wait, after which the host is given up. Each is to a request sent after the answer
 * before: requests that were sent together may all be to URLs with a limit of their own.
 */
const TOO_LONG_IN_A_ROW = 3

/** `deadline`: when gathering ends. */
export const makeRateLimitWaits = (deadline: number): RateLimitWaits => {
  let acceptedCount = 0
  let tooLongInARow = 0
  // Rises with each answer that counts, so that answers to requests sent before it do not count.
  let round = 0
  return {
    sending: (request) => {
      request.round = round
    },
    accepted: () => {
      acceptedCount += 1
      tooLongInARow = 0
    },
    after: ({ retryAfterMs }, request, strikes, now) => {
      if (request.acceptedBefore !== null && acceptedCount > request.acceptedBefore) request.alone += 1
      request.acceptedBefore = acceptedCount
      const backoff = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.max(0, strikes - 1))
      const wait = Math.max(retryAfterMs ?? 0, backoff)
      if (now + wait >= deadline || (retryAfterMs === null && strikes > STRIKES_WITHOUT_RETRY_AFTER)) {
        if (request.round === round) {
          round += 1
          tooLongInARow += 1
        }
        return { for: null, byAll: false }
      }
      return { for: request.alone >= TOO_OFTEN_ALONE ? null : wait, byAll: request.alone < ALONE }
    },
    isGivenUp: () => tooLongInARow >= TOO_LONG_IN_A_ROW
  }
}

/** An answer that says "not so fast". */
interface RateLimitAnswer {
  /** How long the host asks to wait, in milliseconds; `null` where it does not say. */
  readonly retryAfterMs: number | null
}

/**
 * Reads 429 and, with `Retry-After`, 503 as what they are: the same request is answered later (RFC 6585 §4, RFC 9110 §15.6.4).
 * `null` for any other answer, and for a bot challenge, which waiting does not end.
 */
export const rateLimitAnswer = (hop: Hop, now: number): RateLimitAnswer | null => {
  if (hop._tag === "HopFault" || isChallengeError(hop)) return null
  const asked = retryAfterMs(hop.headers, now)
  return hop.status === 429 || (hop.status === 503 && asked !== null) ? { retryAfterMs: asked } : null
}

/** Whether rate limiting kept this request from being answered, at first or in the end. */
export const wasRateLimited = (hop: Hop): boolean =>
  hop.rateLimited === true || (hop._tag === "HopFault" ? hop.kind === "rate_limited" : rateLimitAnswer(hop, 0) !== null)

/**
 * How long an answer asks to wait, in milliseconds; `null` where it does not say. A date is read against the server's
 * own clock where the answer tells it, else against `now` (milliseconds since the epoch).
 */
export const retryAfterMs = (headers: Headers, now: number): number | null => {
  const value = firstHeaderIn(headers, "retry-after")?.trim() ?? ""
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const date = httpDateMs(value)
  if (date === null) return null
  const serverNow = httpDateMs(firstHeaderIn(headers, "date") ?? "") ?? now
  return Math.max(0, date - serverNow)
}
