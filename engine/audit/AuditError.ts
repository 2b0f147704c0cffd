import * as Data from "effect/Data"
import type { JournalEntry } from "../evidence/Journal.ts"

/** Why an audit comes to no report, in words for people. */
export interface Refusal {
  /**
   * `unreachable`: nothing answered. `left_site`: the audited URL leads to another site. `shut_out`: robots.txt forbids
   * `docgauge` by name. `no_page`: it answered, but not with a page (2xx), or no page could be read. `blocked`: it leads to
   * a site that an operator of the service has blocked.
   */
  readonly reason: "unreachable" | "left_site" | "shut_out" | "no_page" | "blocked"
  /** What happened, in one plain sentence. */
  readonly message: string
  /** What to do about it, in one plain sentence. */
  readonly advice: string
}

/** There is no report. The evidence for that comes along, so that it can be recorded and replayed like any other. */
export class AuditFailed extends Data.TaggedError("AuditFailed")<
  Refusal & {
    /** Every request made so far, in a defined order. */
    readonly journal: ReadonlyArray<JournalEntry>
  }
> {}

/** On its way to where the evidence is, which goes with it. */
export class Refused extends Data.TaggedError("Refused")<Refusal> {}
