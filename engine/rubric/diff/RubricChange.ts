import type { Bump } from "../source/VersionBump.ts"

/** One thing that is different in a later rubric. */
export interface RubricChange {
  /** The criterion or category that it is about; `null`: the rubric as a whole. */
  readonly subject: string | null
  /** What changed, in one plain sentence without a full stop. */
  readonly what: string
  /** The version bump that it owes. */
  readonly owes: Bump
  /** Why it owes that. */
  readonly why: string
}

/** A change before it is known what it is about. */
export type Difference = Omit<RubricChange, "subject">

const WORDS_ONLY = "only the wording: no score changes"
export const ONLY_RAISES = "scores can only rise"
export const EARNS_NOTHING = "earns nothing"
export const ADVICE_ONLY = "reports advise other criteria first: no score changes"

export const words = (what: string): Difference => ({ what, owes: "patch", why: WORDS_ONLY })
export const minor = (what: string, why: string): Difference => ({ what, owes: "minor", why })
export const major = (what: string, why: string): Difference => ({ what, owes: "major", why })

/** A text of the rubric, quoted within a sentence. */
export const quoted = (text: string): string => `\`${text.replace(/\s+/gu, " ").trim()}\``
