import type { WorkerThread } from "../worker/WorkerThread.ts"

/** A worker's file: `.ts` where this one runs from source, `.js` where it was built. */
const beside = (name: string): URL => new URL(`./${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** The thread that reads pages. */
export const PAGE_PARSER: WorkerThread = {
  entry: beside("PageWorker"),
  limits: { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 12 }
}

/** The threads that read the pages of a build: a larger young generation saves time where there are thousands of pages, and memory is not shared with other audits. */
export const BUILD_PARSER: WorkerThread = {
  entry: beside("PageWorker"),
  limits: { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 40 }
}

/** Of the heap of the thread that reads API descriptions, in megabytes. */
export const SPEC_MEMORY = 400

/** The thread that reads API descriptions. */
export const SPEC_PARSER: WorkerThread = {
  entry: beside("SpecWorker"),
  limits: { maxOldGenerationSizeMb: SPEC_MEMORY, maxYoungGenerationSizeMb: 48 }
}
