import { setTimeout as pause } from "node:timers/promises"
import { smallSite } from "../harness/SmallSites.ts"

/** An answer of the service, or that there was none. */
export interface ProbeAnswer {
  readonly what: "submit" | "read" | "health" | "metrics"
  /** 0 where no answer came in time or the connection ended. */
  readonly status: number
  readonly retryAfter: string | null
  readonly body: string
  readonly tookMs: number
}

/** How long an answer may take, whatever state the database is in: a server that falls silent is given up on after 40 s. */
const ANSWER_MS = 55_000

/** Prometheus waits 10 s, for which a busy machine may be too slow; metrics that waited for a silent database would take 40 s. */
const METRICS_MS = 30_000

const UNAVAILABLE: ReadonlySet<string> = new Set(
  ["The database is unavailable. Try again soon.", "The service is restarting. Try again in 5 seconds."].map((error) =>
    JSON.stringify({ error })
  )
)

/**
 * What the contract does not have: no answer at all, a 500, a 503 that does not say when to come again, or one that tells more than it should;
 * and no metrics.
 */
export const isBroken = ({ body, retryAfter, status, what }: ProbeAnswer): boolean => {
  if (what === "metrics") return status !== 200
  if (status !== 503 || what === "health") return status === 0 || (status >= 500 && status !== 503)
  return !/^[1-9]\d*$/.test(retryAfter ?? "") || !UNAVAILABLE.has(body)
}

const ask = async (
  what: ProbeAnswer["what"],
  url: string,
  init: RequestInit = {},
  answerMs = ANSWER_MS
): Promise<ProbeAnswer> => {
  const begun = performance.now()
  const tookMs = (): number => Math.round(performance.now() - begun)
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(answerMs) })
    return {
      what,
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      body: await response.text(),
      tookMs: tookMs()
    }
  } catch (error) {
    return { what, status: 0, retryAfter: null, body: String(error), tookMs: tookMs() }
  }
}

/** Submits, reads and looks at the health and the metrics of the service every half second while `work` goes on, without waiting for answers. */
export const probing = async (
  url: string,
  name: string,
  work: Promise<unknown>
): Promise<ReadonlyArray<ProbeAnswer>> => {
  const ended = work.then(() => true)
  const answers: Array<Promise<ProbeAnswer>> = []
  for (let round = 0; ; round++) {
    const submission = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ base_url: smallSite(`${name}-${round}`) })
    }
    answers.push(
      ask("submit", `${url}/audit?async=true`, submission),
      ask("read", `${url}/api/public/browse/summary`),
      ask("health", `${url}/healthz`),
      ask("metrics", `${url}/metrics`, {}, METRICS_MS)
    )
    if (await Promise.race([ended, pause(500, false)])) return Promise.all(answers)
  }
}
