import { httpDateMs } from "../../text/HttpDate.ts"
import { firstHeaderIn, type Headers } from "../Headers.ts"

/**
 * How long an answer asks to wait, in milliseconds; `null` where it does not say. A date is read against the server's
 * own clock where the answer tells it, else against `now` (milliseconds since the epoch).
 * How long we then wait is decided in `RateLimitWaits.ts`.
 */
export const retryAfterMs = (headers: Headers, now: number): number | null => {
  const value = firstHeaderIn(headers, "retry-after")?.trim() ?? ""
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const date = httpDateMs(value)
  if (date === null) return null
  const serverNow = httpDateMs(firstHeaderIn(headers, "date") ?? "") ?? now
  return Math.max(0, date - serverNow)
}
