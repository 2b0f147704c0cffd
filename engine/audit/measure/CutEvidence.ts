import type { Fault } from "../../evidence/Exchange.ts"
import type { JournalEntry } from "../../evidence/Journal.ts"
import type { MeasuredCriterion } from "./Measure.ts"

/** A request of an audit and the ids of the criteria that depend on it, sorted; empty where only the audit itself does. */
export interface KeptExchange extends JournalEntry {
  readonly askedBy: ReadonlyArray<string>
}

/** The first truncated exchange of each criterion that depends on one, by criterion id. */
export const cutEvidence = (journal: ReadonlyArray<KeptExchange>): ReadonlyMap<string, Fault> => {
  const faults = new Map<string, Fault>()
  for (const {
    askedBy,
    hop,
    request: { asked }
  } of journal) {
    if (hop._tag !== "HopFault" || hop.kind !== "archive_cut") continue
    const fault: Fault = { _tag: "Fault", asked, url: asked.url, kind: hop.kind, message: hop.message, redirects: [] }
    for (const criterion of askedBy) if (!faults.has(criterion)) faults.set(criterion, fault)
  }
  return faults
}

/**
 * Outcomes of a replay without those that lean on cut evidence. A criterion that finds the rest of its evidence would
 * judge by that and could call absent what the audit saw, so it is inconclusive whatever it found.
 */
export const withoutCutEvidence = (
  outcomes: ReadonlyArray<readonly [id: string, outcome: MeasuredCriterion]>,
  cut: ReadonlyMap<string, Fault>
): ReadonlyMap<string, MeasuredCriterion> =>
  new Map(
    outcomes.map(([id, outcome]) => {
      const proof = cut.get(id)
      return [
        id,
        proof === undefined
          ? outcome
          : {
              facts: null,
              uncertain: {},
              unanswered: [proof],
              findings: [{ good: false, message: MESSAGE, proof }],
              pluginFailed: outcome.pluginFailed
            }
      ]
    })
  )

const MESSAGE = "The archive was cut to its size limit and holds only part of what this criterion reads."
