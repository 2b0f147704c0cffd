import type * as Config from "effect/Config"
import * as Result from "effect/Result"
import { setting } from "../config/Setting.ts"

/** Limits of an external plugin; its thread is terminated if it exceeds one of them. */
export interface OutsideLimits {
  /** From the start of its thread to its result, in seconds, including the time it waits for the site. */
  readonly seconds: number
}

const MOST_SECONDS = 600

/** From the environment; an invalid value fails with one line that names the variable. */
export const pluginSeconds: Config.Config<number> = setting("DOCGAUGE_PLUGIN_SECONDS", "60", (text) =>
  /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MOST_SECONDS
    ? Result.succeed(Number(text))
    : Result.fail(`give a whole number of seconds, 1 to ${MOST_SECONDS}`))

/** How long a plugin may keep its thread busy without a call, in milliseconds. */
export const SILENCE_MS = 10_000

/** Maximum number of calls to the site; each URL of a `getAll` counts. A sample has 200 pages at most. */
export const MOST_CALLS = 1_000

/** Heap limit of a plugin's thread, in megabytes: a guard, not a tuning. */
export const HEAP_MEGABYTES = 144

/** Limit of its buffers, which V8 does not count as heap; response bodies are among them. */
export const BUFFER_MEGABYTES = 256

/** How often the size of its buffers is checked, in milliseconds. */
export const LOOK_EVERY_MS = 250
