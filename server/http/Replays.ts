import { plainForm } from "../../engine/evidence/Address.ts"
import { parseInstant } from "../../engine/store/Instant.ts"
import type { Run } from "../../engine/store/Run.ts"

/** Finished reports that stand for an audit of the same address, as the scheduler said a while ago. */
export interface Replays {
  /** The run whose report stands for the address (its plain form) now, where that is known. */
  readonly find: (address: string, now: number) => string | null
  /** The scheduler let this run stand for its address. */
  readonly remember: (run: Run) => void
  /** Forgets all of them: what the scheduler said of some does not hold any more. */
  readonly forget: () => void
  /** How often they were forgotten: what was said before the last time is not to be remembered. */
  readonly age: () => number
}

const REMEMBERED = 5_000

/**
 * Remembers what the scheduler decided, for as long as it cannot decide otherwise: a report stands for its address until
 * the window since it was finished is over. All runs are of the rubric in force.
 */
export const makeReplays = (windowMs: number | null): Replays => {
  const standing = new Map<string, { readonly runId: string; readonly until: number }>()
  let age = 0
  return {
    find: (address, now) => {
      const replay = standing.get(address)
      return replay === undefined || replay.until <= now ? null : replay.runId
    },
    remember: ({ finishedAt, id, status, url }) => {
      const finished = finishedAt === null ? null : parseInstant(finishedAt)
      if (windowMs === null || finished === null || status !== "done") return
      if (standing.size >= REMEMBERED) standing.clear()
      standing.set(plainForm(url), { runId: id, until: finished / 1_000 + windowMs })
    },
    forget: () => {
      standing.clear()
      age += 1
    },
    age: () => age
  }
}
