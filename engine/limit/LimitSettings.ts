import * as Config from "effect/Config"
import * as Result from "effect/Result"
import { setting } from "../config/Setting.ts"

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

/** The limits of clients; `null`: no limit. */
export interface LimitSettings {
  /** POST /audit, per client. */
  readonly submit: Rate | null
  /** How long a finished report is returned instead of another audit of the same URL and rubric, in milliseconds. */
  readonly targetWindowMs: number | null
  /** Audits of one site for one client network. */
  readonly siteQuota: Rate | null
  /** The same for a site whose owner has verified it, if that allows more; `null`: sites cannot be verified. */
  readonly verifiedQuota: Rate | null
  /** Reads of runs, per client. */
  readonly poll: Rate | null
  /** Reads of the corpus, per client. */
  readonly browse: Rate | null
  /** Plans with files that are made from archives, per client. */
  readonly fix: Rate | null
  /** Requests to one registrable domain, over all audits. */
  readonly hostBudget: Rate | null
  /** Unfinished runs of one client network. */
  readonly clientRuns: number | null
  /** Unfinished runs of all clients in an IPv4 /16 or IPv6 /48; a multiple of it in wider networks. */
  readonly networkRuns: number | null
  /** Waiting runs of all clients. */
  readonly queueLimit: number | null
}

/** The length of the queue that the share of a network is a part of where the queue has no limit. */
const USUAL_QUEUE = 1_000

/**
 * `set`: the limit that is set, `null` if it is off. Unless it is set, it is a tenth of the queue, and none where client networks have
 * none. A wider network may always have as many runs as one client network.
 */
const networkRunsOf = (
  set: number | "usual" | null,
  { clientRuns, queueLimit }: Pick<LimitSettings, "clientRuns" | "queueLimit">
): number | null => {
  if (set === null || (set === "usual" && clientRuns === null)) return null
  return Math.max(clientRuns ?? 0, set === "usual" ? Math.floor((queueLimit ?? USUAL_QUEUE) / 10) : set)
}

/** A count as operators write it (`2`, `1000`), at least 1; `null` for `off`. Fails with what is wrong, as a clause. */
const parseCount = (text: string): Result.Result<number | null, string> => {
  const trimmed = text.trim()
  if (trimmed === "off") return Result.succeed(null)
  const count = /^\d{1,7}$/.test(trimmed) ? Number(trimmed) : 0
  return count >= 1 && count <= MOST
    ? Result.succeed(count)
    : Result.fail(`give a whole number from 1 to ${MOST}, or off`)
}

/** From the environment; an invalid value fails with one line that names its variable. */
export const limitSettings: Config.Config<LimitSettings> = Config.map(
  Config.all({
    submit: setting("DOCGAUGE_SUBMIT_RATE", "2/60s", parseRate),
    targetWindowMs: setting("DOCGAUGE_TARGET_WINDOW", "10m", parseWindow),
    siteQuota: setting("DOCGAUGE_SITE_QUOTA", "1/24h", parseRate),
    verifiedQuota: setting("DOCGAUGE_VERIFIED_QUOTA", "1/10m", parseRate),
    poll: setting("DOCGAUGE_POLL_RATE", "30/30s", parseRate),
    browse: setting("DOCGAUGE_BROWSE_RATE", "20/4s", parseRate),
    fix: setting("DOCGAUGE_FIX_RATE", "5/60s", parseRate),
    hostBudget: setting("DOCGAUGE_HOST_BUDGET", "600/1h", parseRate),
    clientRuns: setting("DOCGAUGE_CLIENT_RUNS", "2", parseCount),
    networkRuns: setting("DOCGAUGE_NETWORK_RUNS", "", (text) =>
      text === "" ? Result.succeed<number | "usual" | null>("usual") : parseCount(text)
    ),
    queueLimit: setting("DOCGAUGE_QUEUE_LIMIT", `${USUAL_QUEUE}`, parseCount)
  }),
  (limits) => ({ ...limits, networkRuns: networkRunsOf(limits.networkRuns, limits) })
)
