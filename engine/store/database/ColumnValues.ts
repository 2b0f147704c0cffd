import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { zstdCompressSync, zstdDecompressSync } from "node:zlib"

/** A 64-bit integer as the drivers return it; ours all fit a number. */
export type Int = number | bigint

/** SHA-256 of the parts, base64url: the value of indexed columns whose text, such as a URL, can be too long for an index. */
export const digestKey = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(parts.join("\n")).digest("base64url")

/** Compresses text with zstd: it makes a report eight times smaller in 0.1 ms, which is too fast to be worth another thread. */
export const pack = (text: string): Uint8Array => zstdCompressSync(text)

/** Decompresses the text, byte for byte. */
export const unpack = (content: Uint8Array): string => zstdDecompressSync(content).toString("utf8")

/**
 * Times in the store: microseconds since 1970-01-01T00:00:00Z, which a number represents exactly until the year 2255. Outside
 * the store they are RFC 3339 in UTC with six digits, so that they sort as text.
 */

/** Microseconds since the epoch, by the clock of the fiber. */
export const currentMicros: Effect.Effect<number> = Effect.map(Clock.currentTimeNanos, (nanos) =>
  Number(nanos / 1_000n)
)

/** By how much the clocks of two processes of a service may differ, in milliseconds. */
export const CLOCK_SKEW_MS = 60_000

export const DAY_MICROS = 24 * 60 * 60 * 1_000_000

/** RFC 3339, such as `2026-11-21T10:15:00.123456Z`. */
export const formatInstant = (micros: number): string => {
  const millis = Math.floor(micros / 1_000)
  const rest = String(micros - millis * 1_000).padStart(3, "0")
  return new Date(millis).toISOString().replace("Z", `${rest}Z`)
}

/** The same of milliseconds, which may have a fraction. */
export const formatMillis = (ms: number): string => formatInstant(Math.round(ms * 1_000))

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,30}))?(?:Z|([+-])(\d{2}):(\d{2}))$/i

/**
 * Microseconds since the epoch of any RFC 3339 timestamp, with fractions of a microsecond rounded up (so that what is strictly
 * older stays strictly older); `null` for other text. Years out of range are clamped.
 */
export const parseInstant = (text: string): number | null => {
  const [, year, month, day, hour, minute, second, fraction = "", sign, offsetHour = "0", offsetMinute = "0"] =
    RFC_3339.exec(text) ?? []
  const [y, mo, d, h, mi, s, oh, om] = [year, month, day, hour, minute, second, offsetHour, offsetMinute].map(Number)
  if (y === undefined || mo === undefined || d === undefined || h === undefined || mi === undefined || s === undefined)
    return null
  if (oh === undefined || om === undefined || h > 23 || mi > 59 || s > 60 || oh > 23 || om > 59) return null
  const date = new Date(0)
  date.setUTCFullYear(y, mo - 1, d)
  if (date.getUTCMonth() !== mo - 1 || date.getUTCDate() !== d) return null
  const offset = (oh * 60 + om) * (sign === "-" ? -60 : 60)
  const seconds = date.getTime() / 1_000 + h * 3_600 + mi * 60 + s - offset
  const micros =
    seconds * 1_000_000 + Number(fraction.slice(0, 6).padEnd(6, "0")) + (/[1-9]/.test(fraction.slice(6)) ? 1 : 0)
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, micros))
}

/** `parseInstant` of validated text: `null` would be a bug. */
export const instantOf = (text: string): Effect.Effect<number> => {
  const micros = parseInstant(text)
  return micros === null
    ? Effect.die(new Error(`not an RFC 3339 timestamp: ${JSON.stringify(text)}`))
    : Effect.succeed(micros)
}
