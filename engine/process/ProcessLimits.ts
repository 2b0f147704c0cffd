import type { AuditTask, FixTask } from "./AuditTask.ts"
import type { RubricReference } from "../rubric/RubricFile.ts"

/*
 * Limits of an audit process. Its parser threads have their own heap limits (`ParserPool.ts`).
 */

const MB = 1024 * 1024

/**
 * Limit of the resident memory of the whole process, in bytes: beyond it the process kills itself, whatever its threads are
 * doing.
 */
export const RESIDENT_LIMIT = 768 * MB

/** The signal by which a process beyond `RESIDENT_LIMIT` kills itself: its default action works even if no handler can run. */
export const MEMORY_SIGNAL = "SIGUSR2"

/** Maximum number of audits of one process. */
export const MOST_AUDITS = 50

/** From this audit of a process on, its successor is started in advance, so that the next audit does not wait 0.5 s for it. */
export const LAST_AUDITS = 47

/**
 * A process that has grown by more than this since its first audit began is not reused, in bytes, because its heap would not
 * shrink. Within fifty audits of real sites it grows by 110 to 180 MB, most of it compiled code, which a new process would have to
 * compile again: with 110 MB every sixth audit started one, and took a sixth more CPU (test/bench/README.md).
 */
export const MOST_GROWTH = 180 * MB

/** How long an idle process is kept, in milliseconds. */
export const IDLE_MS = 60_000

/** How long the start of a process may take before it counts as time of its audit, in milliseconds. */
export const LONGEST_START_MS = 20_000

/** Bytes of response bodies that each audit may hold without permission: measured real sites send 0.3 MB at the median. */
export const FREE_BYTES = 2 * MB

/**
 * Maximum time for which an audit that holds more blocks others from doing so, in milliseconds: a large and slow site must not
 * hold up audits of other large sites.
 */
export const LARGE_TURN_MS = 15_000

/**
 * How much longer than its gathering time an audit may take, in milliseconds, to parse and judge what was gathered last. Audits
 * of the corpus need less than a second for that.
 */
export const graceMs = (gatherMs: number): number => Math.max(3_000, gatherMs / 5)

/** Time limit of an audit in its process, in milliseconds: an external plugin may begin when everything else has been gathered. */
export const longestAudit = ({ limits: { gatherMs }, rubric }: Pick<AuditTask, "limits" | "rubric">): number =>
  gatherMs + graceMs(gatherMs) + pluginMs(rubric)

/** Audits that the making of fixes takes, each without a network. */
const FIX_AUDITS = 4

/** Time limit for the fixes of a site without external plugins, in milliseconds. The corpus needs 1 to 6 seconds, and a busy machine ten times as many. */
const LONGEST_FIX_MS = 60_000

const fixMs = (rubric: RubricReference): number => LONGEST_FIX_MS + FIX_AUDITS * pluginMs(rubric)

/** Time limit for making the fixes of a site from an archive, in milliseconds. */
export const longestFix = ({ isSlow, rubric }: Pick<FixTask, "isSlow" | "rubric">): number =>
  fixMs(rubric) / (isSlow ? 2 : 1)

/** Time limit for posting messages to receivers of webhooks, in milliseconds; each exchange ends after 10 seconds. */
export const LONGEST_POSTS_MS = 20_000

/** Making the fixes of a site is slow if it takes longer than this, in milliseconds. */
export const slowFix = (rubric: RubricReference): number => fixMs(rubric) / 3

const pluginMs = ({ pluginSeconds }: RubricReference): number => 1_000 * (pluginSeconds ?? 0)
