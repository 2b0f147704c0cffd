/*
 * What bounds an audit process. Its threads for pages and API descriptions have heaps of their own (`ReaderThreads.ts`).
 */

const MB = 1024 * 1024

/** V8's old generation on the thread that audits, in megabytes. */
export const HEAP_MB = 300

/** Resident memory of the whole process, in bytes: beyond it the process ends itself, whatever its threads are doing. */
export const RESIDENT_LIMIT = 768 * MB

/** How a process that has grown beyond `RESIDENT_LIMIT` ends itself: its default action ends it even where no handler can run. */
export const MEMORY_SIGNAL = "SIGUSR2"

/** A process is used for so many audits. */
export const MOST_AUDITS = 50

/**
 * A process that has grown by more than this since its first audit began is not used again, in bytes: its heap would stay as
 * large as it grew. Audits of small sites make it grow by 65 MB, those of sites of 50 MB by 120 MB and more.
 */
export const MOST_GROWTH = 110 * MB

/** How long a process that has nothing to do is kept, in milliseconds. */
export const IDLE_MS = 60_000

/** How long the start of a process may take before the clock of its audit runs all the same, in milliseconds. */
export const LONGEST_START_MS = 20_000

/** Bytes of body that each audit may hold without asking: real sites that were measured send 0.3 MB at the median. */
export const FREE_BYTES = 2 * MB

/**
 * How long an audit that holds more keeps the others from it, in milliseconds, if it is not over sooner: a site that sends
 * much and slowly must not hold up audits of other large sites.
 */
export const LARGE_TURN_MS = 15_000

/**
 * How long an audit may take in its process, in milliseconds: its gathering time, and as much again as reading and
 * judging what was gathered last can take. Audits measured on the corpus need less than a second for that.
 */
export const longestAudit = (gatherMs: number): number => gatherMs + Math.max(3_000, gatherMs / 5)
