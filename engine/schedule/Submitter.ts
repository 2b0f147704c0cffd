import { keyOf } from "../store/RunRows.ts"

/** Guests and operators take turns as classes, so that neither keeps the other waiting. */
export type SubmitterClass = "guest" | "operator"

/** Who asked for a run, as far as the queue is concerned: submitters of a class take turns. */
export interface Submitter {
  readonly key: string
  readonly class: SubmitterClass
}

/** A client network. Its runs keep a digest of it, and only until they are over. */
export const guest = (network: string): Submitter => ({ key: keyOf("client network", network), class: "guest" })

/** Operators, who ask for single audits. */
export const OPERATOR: Submitter = { key: "operator", class: "operator" }

/** Audits that are due by a schedule. */
export const SCHEDULE: Submitter = { key: "schedule", class: "operator" }
