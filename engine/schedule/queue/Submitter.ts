import { digestKey } from "../../store/database/ColumnValues.ts"

/** The classes of submitters take turns, so that neither guests nor operators block the others. */
export type SubmitterClass = "guest" | "operator"

/** The submitter of a run, for the queue: submitters of a class take turns. */
export interface Submitter {
  readonly key: string
  readonly class: SubmitterClass
  /** For each wider network whose runs are counted, the widest first: what the keys of all submitters in it begin with, and no others. */
  readonly within: ReadonlyArray<string>
}

/**
 * A client network, and the wider networks of which it is one, the widest first. Its runs store digests of them, only until they are
 * over: those of the wider ones come first in the key, so that an index finds all runs of a wider network.
 */
export const guest = (network: string, wider: ReadonlyArray<string> = []): Submitter => {
  const digests = wider.map((each) => `${digestKey("wider network", each)}/`)
  return {
    key: `${digests.join("")}${digestKey("client network", network)}`,
    class: "guest",
    within: digests.map((_, index) => digests.slice(0, index + 1).join(""))
  }
}

/** Operators who submit single audits. */
export const OPERATOR: Submitter = { key: "operator", class: "operator", within: [] }

/** Scheduled audits. */
export const SCHEDULE: Submitter = { key: "schedule", class: "operator", within: [] }

/** The class of the submitter with this key. */
export const classOf = (key: string): SubmitterClass =>
  key === OPERATOR.key || key === SCHEDULE.key ? "operator" : "guest"

/** The classes in the order of their turns: the class of the last turn comes second. */
export const classesAfter = (last: SubmitterClass): ReadonlyArray<SubmitterClass> =>
  last === "guest" ? ["operator", "guest"] : ["guest", "operator"]
