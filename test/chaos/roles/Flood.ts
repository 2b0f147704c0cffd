import { setTimeout as pause } from "node:timers/promises"
import { smallSite } from "../../harness/SmallSites.ts"
import { clientOf, limitOf } from "../../harness/Crowd.ts"

/** What became of the submissions of a client that submits faster than it may. */
export interface Flooded {
  readonly seconds: number
  /** Not refused by the rate of submissions. */
  readonly passed: number
  /** No answer came, or that the database is away: they may have counted or not. */
  readonly unknown: number
}

/** A network of its own. */
const NETWORK = 250

const EVERY_MS = 100

/** Submits one site every 100 ms, to one service after the other, until it is stopped. */
export const startFlood = (addresses: ReadonlyArray<() => string>): { readonly stop: () => Promise<Flooded> } => {
  const begun = performance.now()
  const over = new AbortController()
  let passed = 0
  let unknown = 0
  const body = JSON.stringify({ base_url: smallSite("flooded") })
  const submit = async (address: string): Promise<void> => {
    try {
      const response = await fetch(`${address}/audit?async=true`, {
        method: "POST",
        headers: { "content-type": "application/json", ...clientOf(NETWORK, 1) },
        body,
        signal: AbortSignal.timeout(15_000)
      })
      await response.arrayBuffer()
      if (response.status === 503 || response.status === 408) unknown += 1
      else if (limitOf(response.headers) !== "submit") passed += 1
    } catch {
      unknown += 1
    }
  }
  const submissions: Array<Promise<void>> = []
  const flooding = (async () => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      submissions.push(submit(addresses[turn % addresses.length]?.() ?? ""))
      await pause(EVERY_MS)
    }
  })()
  return {
    stop: async () => {
      over.abort()
      await flooding
      await Promise.all(submissions)
      return { seconds: (performance.now() - begun) / 1_000, passed, unknown }
    }
  }
}
