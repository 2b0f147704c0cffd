import type { Break } from "./Break.ts"

/** One defect, and what it may cost. */
export interface Mutation {
  /** As one would tell it. */
  readonly name: string
  readonly breaks: Break
  /** The criterion that must fall. */
  readonly costs: string
  /** Criteria that may fall with it, each with the reason why one defect costs there, too. */
  readonly alsoMayCost?: Readonly<Record<string, string>>
  /** The audited address, where the defect changes it. */
  readonly url?: string
}
