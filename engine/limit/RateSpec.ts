import * as Result from "effect/Result"

/** An amount per window; the bucket refills evenly over the window. */
export interface Rate {
  readonly amount: number
  readonly windowMs: number
}

const MOST = 1_000_000
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const LONGEST_MS = 366 * 86_400_000

const RATE = /^(\d{1,9})\/(.+)$/
const SPAN = /^(\d{1,9})([smhd])$/

/** A span as operators write it (`10s`, `10m`, `24h`, `7d`), in milliseconds; `null` for `off`. Fails with what is wrong, as a clause. */
export const parseWindow = (text: string): Result.Result<number | null, string> => {
  const trimmed = text.trim()
  if (trimmed === "off") return Result.succeed(null)
  return Result.mapError(spanOf(trimmed), (problem) => `${problem}; give a span such as 10m, or off`)
}

/** A rate as operators write it (`2/60s`, `600/1h`); `null` for `off`. Fails with what is wrong, as a clause. */
export const parseRate = (text: string): Result.Result<Rate | null, string> => {
  const trimmed = text.trim()
  if (trimmed === "off") return Result.succeed(null)
  return Result.mapError(rateOf(trimmed), (problem) => `${problem}; give a rate such as 2/60s, or off`)
}

const rateOf = (text: string): Result.Result<Rate, string> => {
  const [, count = "", span = ""] = RATE.exec(text) ?? []
  if (count === "") return Result.fail(`${quoted(text)} is not a rate`)
  const amount = Number(count)
  if (amount < 1 || amount > MOST) return Result.fail(`${count} is not a count from 1 to ${MOST}`)
  return Result.map(spanOf(span), (windowMs) => ({ amount, windowMs }))
}

const spanOf = (text: string): Result.Result<number, string> => {
  const [, count = "", unit = ""] = SPAN.exec(text) ?? []
  const unitMs = UNIT_MS[unit]
  if (unitMs === undefined) return Result.fail(`${quoted(text)} is not a whole number of s, m, h or d`)
  const ms = Number(count) * unitMs
  return ms >= 1_000 && ms <= LONGEST_MS ? Result.succeed(ms) : Result.fail(`${text} is not between 1s and 366d`)
}

/** The given value, cut to fit on one line. */
const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)

/*
 * Some keys of limits belong to many users: the users of a hosted assistant share its network. Such a key contains a factor by
 * which every limit counted by that key is multiplied.
 */

const SHARED = /^(\d{1,4})x /

/** A key with `times` the amount of any rate. */
export const sharedKey = (times: number, key: string): string => `${times}x ${key}`

/** The key's factor; 1 unless it is shared. */
export const timesOf = (key: string): number => Number(SHARED.exec(key)?.[1] ?? 1)

/** The rate that applies to the key. */
export const rateFor = (rate: Rate, key: string): Rate => ({ ...rate, amount: rate.amount * timesOf(key) })
