import type * as Config from "effect/Config"
import * as Result from "effect/Result"
import { setting } from "../config/Setting.ts"

/** What a plugin from outside may take of the machine and of the audit's time; beyond any of it, its thread is ended. */
export interface OutsideLimits {
  /** From the start of its thread to its result, in seconds, waiting for the site included. */
  readonly seconds: number
}

const MOST_SECONDS = 600

/** From the environment; a wrong value fails in one line that names the variable. */
export const pluginSeconds: Config.Config<number> = setting("DOCGAUGE_PLUGIN_SECONDS", "60", (text) =>
  /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MOST_SECONDS
    ? Result.succeed(Number(text))
    : Result.fail(`give a whole number of seconds, 1 to ${MOST_SECONDS}`))

/** How long a plugin may keep its thread busy without asking for anything, in milliseconds. */
export const SILENCE_MS = 10_000

/** What a plugin may ask of the site, each URL of a `getAll` counted. A sample has 200 pages at most. */
export const MOST_CALLS = 1_000

/** The heap of a plugin's thread, in megabytes. */
export const HEAP_MEGABYTES = 144

/** Memory of its buffers, which V8 does not count as heap: the bodies of the responses that it was given, too. */
export const BUFFER_MEGABYTES = 256

/** How often the memory of its buffers is looked at, in milliseconds. */
export const LOOK_EVERY_MS = 250
