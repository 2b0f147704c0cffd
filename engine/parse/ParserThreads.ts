import type { WorkerThread } from "../worker/SingleWorker.ts"

/** A worker's file: `.ts` where this one runs from source, `.js` where it was built. */
const beside = (name: string): URL =>
  new URL(`./${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/**
 * The thread that reads pages. The old generation is a guard, not a tuning; with a young generation of 12 MB an audit takes 5 MB less than
 * with 24, and the same time.
 */
export const PAGE_PARSER: WorkerThread = {
  entry: beside("PageWorker"),
  limits: { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 12 }
}

/** The thread that reads a page of more than 2 MB: one at a time, and not kept. */
export const LARGE_PAGE_PARSER: WorkerThread = {
  entry: beside("PageWorker"),
  limits: { maxOldGenerationSizeMb: 240, maxYoungGenerationSizeMb: 12 }
}

/**
 * The threads that read the pages of a build or of several sites at once: with a larger young generation, twenty sites take 2 to 7 % less
 * processor time. The old generation is a guard, not a tuning.
 */
export const BUILD_PARSER: WorkerThread = {
  entry: beside("PageWorker"),
  limits: { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 40 }
}

/** Of the heap of the thread that reads API descriptions, in megabytes. A guard, not a tuning: a large one takes 300 MB in all. */
export const SPEC_MEMORY = 400

/** The thread that reads API descriptions. Its young generation counts on the command line; in audit processes their V8 flag wins. */
export const SPEC_PARSER: WorkerThread = {
  entry: beside("SpecWorker"),
  limits: { maxOldGenerationSizeMb: SPEC_MEMORY, maxYoungGenerationSizeMb: 48 }
}
