import type { FactFields } from "../criterion/Fact.ts"
import { enumerated } from "../criterion/Wording.ts"
import { type Clause, conditionWords, groupLead, inOneLine } from "./condition/ConditionWords.ts"
import type { Category, CriterionDefinition, LevelStatus } from "./definition/Rubric.ts"
import type { LoadedCriterion, LoadedRubric } from "./RubricFile.ts"

/** A level in words. */
export interface ExplainedLevel {
  readonly status: LevelStatus
  readonly earns: number
  /** `null`: the last level, which has no condition. */
  readonly asks: Clause | null
}

/** A criterion as it is shown: definition, category, facts, levels in words. */
export interface Explanation {
  readonly definition: CriterionDefinition
  readonly category: Category
  /** On trial: measured, without points. */
  readonly onTrial: boolean
  readonly facts: FactFields
  readonly levels: ReadonlyArray<ExplainedLevel>
  readonly steps: ReadonlyArray<ExplainedStep>
}

/** A step of the remedy in words. */
export interface ExplainedStep {
  readonly text: string
  /** When it counts as done; `null`: it is always advised. */
  readonly doneWhere: string | null
}

/** All criteria of a rubric in file order, those on trial last. */
export const explanations = <Bound>({
  criteria,
  experimental,
  rubric
}: LoadedRubric<Bound>): ReadonlyArray<Explanation> => {
  const explained =
    (onTrial: boolean) =>
    ({ category: letter, definition, facts, levels, steps }: LoadedCriterion<Bound>): ReadonlyArray<Explanation> => {
      const category = rubric.categories.find(({ id }) => id === letter)
      if (category === undefined) return []
      const inWords = levels.map(({ condition, earns, status }) => ({
        status,
        earns,
        asks: condition === null ? null : conditionWords(condition.tree, facts)
      }))
      const explainedSteps = steps.map(({ text, unless }) => ({
        text,
        doneWhere: unless === null ? null : inOneLine(conditionWords(unless.tree, facts))
      }))
      return [{ definition, category, onTrial, facts, levels: inWords, steps: explainedSteps }]
    }
  return [...criteria.flatMap(explained(false)), ...experimental.flatMap(explained(true))]
}

/** The deprecation of a criterion in words; `null` if it has none. */
export const deprecationText = ({ deprecated }: CriterionDefinition): string | null => {
  if (deprecated === undefined) return null
  const { replaced_by, since, until } = deprecated
  const successor = replaced_by === undefined ? "Nothing replaces it" : `${replaced_by} replaces it`
  return `Deprecated since version ${since}; removed in version ${until}. ${successor}.`
}

/** Where a criterion is not advised by itself, in sentences; empty if it always is. */
export const requirementsText = ({ applies, needs = [] }: CriterionDefinition): string =>
  [
    ...(needs.length === 0 ? [] : [needText(needs)]),
    ...(applies === undefined ? [] : ["Applies to sites with an HTTP API."])
  ].join(" ")

const needText = (needs: ReadonlyArray<string>): string => {
  const [first = ""] = needs
  const nothing = needs.length === 1 ? `${first} earns nothing` : `${enumerated(needs)} earn nothing`
  return `While ${nothing}, this is advised as part of ${needs.length === 1 ? "it" : first}.`
}

/** `1 point`, `5 points`. */
export const pointsText = (points: number): string => (points === 1 ? "1 point" : `${points} points`)

/** The first line of a level in a list: its points, and how many of the conditions below it needs. */
export const levelLead = ({ asks, earns, status }: ExplainedLevel): string => {
  const what = `${pointsText(earns)} (${status})`
  if (asks === null) return `${what} otherwise`
  return `${what} where ${asks._tag === "Plain" ? asks.text : groupLead(asks.lead)}`
}
