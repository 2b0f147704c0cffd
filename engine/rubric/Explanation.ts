import type { FactFields } from "../criterion/Fact.ts"
import { type Clause, conditionWords, groupLead } from "./ConditionWords.ts"
import type { Category, Criterion, LevelStatus } from "./Rubric.ts"
import type { LoadedCriterion, LoadedRubric } from "./RubricFile.ts"

/** A level in words. */
export interface ExplainedLevel {
  readonly status: LevelStatus
  readonly earns: number
  /** `null`: what remains. */
  readonly asks: Clause | null
}

/** Everything that a rubric has to say of a criterion, ready to be shown. */
export interface Explanation {
  readonly definition: Criterion
  readonly category: Category
  /** On trial: measured, and earning nothing. */
  readonly onTrial: boolean
  readonly facts: FactFields
  readonly levels: ReadonlyArray<ExplainedLevel>
}

/** All criteria of a rubric in file order, those on trial last. */
export const explanations = <Bound>({ criteria, experimental, rubric }: LoadedRubric<Bound>): ReadonlyArray<Explanation> => {
  const explained = (onTrial: boolean) => ({ category: letter, definition, facts, levels }: LoadedCriterion<Bound>): ReadonlyArray<Explanation> => {
    const category = rubric.categories.find(({ id }) => id === letter)
    if (category === undefined) return []
    const inWords = levels.map(({ condition, earns, status }) => ({ status, earns, asks: condition === null ? null : conditionWords(condition.tree, facts) }))
    return [{ definition, category, onTrial, facts, levels: inWords }]
  }
  return [...criteria.flatMap(explained(false)), ...experimental.flatMap(explained(true))]
}

/** That a criterion will go away, in one sentence; `null` where it stays. */
export const deprecationText = ({ deprecated }: Criterion): string | null => {
  if (deprecated === undefined) return null
  const { replaced_by, since, until } = deprecated
  const successor = replaced_by === undefined ? "Nothing takes its place" : `${replaced_by} takes its place`
  return `Deprecated since version ${since}; gone with version ${until}. ${successor}.`
}

/** `1 point`, `5 points`. */
export const pointsText = (points: number): string => (points === 1 ? "1 point" : `${points} points`)

/** How a level begins in a list: what it earns, and how many of what follows it asks for. */
export const levelLead = ({ asks, earns, status }: ExplainedLevel): string => {
  const what = `${pointsText(earns)} (${status})`
  if (asks === null) return `${what} otherwise`
  return `${what} where ${asks._tag === "Plain" ? asks.text : groupLead(asks.lead)}`
}
