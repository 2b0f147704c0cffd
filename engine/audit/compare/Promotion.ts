import type { LoadedRubric } from "../../rubric/RubricFile.ts"
import { sum } from "../Score.ts"

/** Criteria on trial that are judged as if they earned their points. */
export interface Promotion {
  readonly criteria: ReadonlyArray<{ readonly id: string; readonly title: string; readonly points: number }>
  /** The points of all criteria with them: more than 100. */
  readonly total: number
}

/** A rubric in which criteria on trial earn the points that their entries name. Nothing is taken from others: totals are scaled to 100. */
export const promoted = <Bound>(
  rubric: LoadedRubric<Bound>,
  ids: ReadonlyArray<string>
): { readonly rubric: LoadedRubric<Bound>; readonly promotion: Promotion } => {
  const chosen = rubric.experimental.filter(({ definition }) => ids.includes(definition.id))
  const criteria = [...rubric.criteria, ...chosen]
  return {
    rubric: { ...rubric, criteria, experimental: rubric.experimental.filter((each) => !chosen.includes(each)) },
    promotion: {
      criteria: chosen.map(({ definition: { id, points, title } }) => ({ id, title, points })),
      total: sum(criteria.map(({ definition }) => definition.points))
    }
  }
}

/** A total as a share of 100 points, rounded: the same number where the criteria come to 100. */
export const scaledTotal = (earned: number, criteria: ReadonlyArray<{ readonly points: number }>): number => {
  const most = sum(criteria.map(({ points }) => points))
  return most === 0 ? 0 : Math.round((earned * 100) / most)
}
