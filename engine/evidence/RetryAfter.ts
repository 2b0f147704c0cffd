import type { HopAnswer } from "./Transport.ts"

/** `Sun, 06 Nov 1994 08:49:37 GMT` and its two old forms all begin with the day. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/

/**
 * How long an answer asks to wait, in milliseconds; `null` where it does not say. A date is read against the server's
 * own clock where the answer tells it, else against `now` (milliseconds since the epoch).
 */
export const retryAfterMs = (headers: HopAnswer["headers"], now: number): number | null => {
  const value = headers.find(([name]) => name === "retry-after")?.[1].trim() ?? ""
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const date = dateOf(value)
  if (date === null) return null
  const serverNow = dateOf(headers.find(([name]) => name === "date")?.[1] ?? "") ?? now
  return Math.max(0, date - serverNow)
}

const dateOf = (value: string): number | null => {
  const time = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : time
}
