import type { Worker } from "node:worker_threads"
import { startThread, type WorkerThread } from "./WorkerThread.ts"

/** A worker's file: `.ts` where this one runs from source, `.js` where it was built. */
const beside = (name: string): URL => new URL(`./${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** The thread that reads pages. */
export const PAGE_READER: WorkerThread = {
  entry: beside("PageWorker"),
  limits: { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 24 }
}

/** Starts a thread that reads pages, and does not wait for it. */
export const startPageReader = (): Worker => startThread(PAGE_READER)

/** Of the heap of the thread that reads API descriptions, in megabytes. */
export const SPEC_MEMORY = 400

/** The thread that reads API descriptions. */
export const SPEC_READER: WorkerThread = {
  entry: beside("SpecWorker"),
  limits: { maxOldGenerationSizeMb: SPEC_MEMORY, maxYoungGenerationSizeMb: 48 }
}
