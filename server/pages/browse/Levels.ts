import type { ScoreRange } from "../../../engine/store/corpus/Corpus.ts"
import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"

/** A level of the rubric in force, by which sites can be filtered. */
export interface ScoreLevel {
  /** In URLs, such as `ai-ready`. */
  readonly slug: string
  /** Such as `AI-ready`. */
  readonly word: string
  readonly range: ScoreRange
}

/** Highest first, as in the rubric. */
export const levelsOf = ({ verdicts }: Pick<Rubric, "verdicts">): ReadonlyArray<ScoreLevel> =>
  verdicts.map(({ from, word }, index) => ({
    slug: word.toLowerCase().replaceAll(/[^a-z\d]+/g, "-"),
    word,
    range: { from, to: (verdicts[index - 1]?.from ?? 101) - 1 }
  }))

/** The word for a score; empty if no level has it. */
export const levelOf = (levels: ReadonlyArray<ScoreLevel>, score: number): string =>
  levels.find(({ range }) => score >= range.from && score <= range.to)?.word ?? ""
