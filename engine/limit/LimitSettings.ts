import * as Config from "effect/Config"
import * as Result from "effect/Result"
import { setting } from "../config/Setting.ts"
import { parseRate, parseWindow, type Rate } from "./RateSpec.ts"

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

const MOST = 1_000_000

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
