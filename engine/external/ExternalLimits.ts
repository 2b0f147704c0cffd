import * as Config from "effect/Config"
import * as Result from "effect/Result"
import { setting } from "../config/Setting.ts"
import type { ThreadTime } from "../worker/ThreadTime.ts"

/** Limits of an external plugin; its thread is terminated if it exceeds one of them. */
export interface ExternalLimits {
  /** Time from the start of its thread to its result. */
  readonly total: ThreadTime
  /** Time without a call, while it waits for no reply. */
  readonly silence: ThreadTime
}

const MOST_SECONDS = 600

/** From the environment; an invalid value fails with one line that names the variable. */
export const pluginSeconds: Config.Config<number> = setting("DOCGAUGE_PLUGIN_SECONDS", "60", (text) =>
  /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MOST_SECONDS
    ? Result.succeed(Number(text))
    : Result.fail(`give a whole number of seconds, 1 to ${MOST_SECONDS}`)
)

/**
 * Wall time for each second of CPU time that a plugin may use: it waits for the site, for as long as an audit gathers evidence, and on
 * a busy machine for its turn.
 */
const PATIENCE = 3

/** The longest that a plugin may take, in seconds of wall time. */
export const longestPluginSeconds: Config.Config<number> = Config.map(pluginSeconds, (seconds) => PATIENCE * seconds)

/** CPU time that a plugin may use without a call, while it waits for no reply, in milliseconds. */
export const SILENCE_MS = 10_000

/** The limits of a plugin that may use this many seconds of CPU time. */
export const limitsOf = (seconds: number): ExternalLimits => {
  const wallMs = PATIENCE * seconds * 1_000
  return { total: { cpuMs: seconds * 1_000, wallMs }, silence: { cpuMs: SILENCE_MS, wallMs } }
}

/** Maximum number of calls to the site; each URL of a `getAll` counts. A sample has 200 pages at most. */
export const MOST_CALLS = 1_000

/** Heap limit of a plugin's thread, in megabytes: a guard, not a tuning. */
export const HEAP_MEGABYTES = 144

/** Limit of its buffers, which V8 does not count as heap; response bodies are among them. */
export const BUFFER_MEGABYTES = 256

/** How often the size of its buffers is checked, in milliseconds. */
export const LOOK_EVERY_MS = 250
