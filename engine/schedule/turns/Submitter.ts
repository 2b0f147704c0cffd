import { digestKey } from "../../store/database/ColumnValues.ts"

/** The classes of submitters take turns, so that neither guests nor operators block the others. */
export type SubmitterClass = "guest" | "operator"

/** The submitter of a run, for the queue: submitters of a class take turns. */
export interface Submitter {
  readonly key: string
  readonly class: SubmitterClass
}

/** A client network. Its runs store a digest of it, only until they are over. */
export const guest = (network: string): Submitter => ({ key: digestKey("client network", network), class: "guest" })

/** Operators who submit single audits. */
export const OPERATOR: Submitter = { key: "operator", class: "operator" }

/** Scheduled audits. */
export const SCHEDULE: Submitter = { key: "schedule", class: "operator" }
