import type { CriterionDefinition } from "../../rubric/definition/Rubric.ts"
import { sameJson } from "../../rubric/diff/SameJson.ts"
import { revisionParts } from "../../criterion/Revision.ts"

/** What decides the points of a criterion. */
type Judging = Pick<CriterionDefinition, "id" | "levels" | "params" | "plugin" | "revision">

/** The ids of the criteria that two rubrics judge or measure differently, or that only one of them has. */
export const judgedDifferently = (
  earlier: ReadonlyArray<Judging>,
  later: ReadonlyArray<Judging>
): ReadonlyArray<string> => {
  const before = new Map(earlier.map((criterion) => [criterion.id, criterion]))
  const kept = new Set(later.map(({ id }) => id))
  const changed = later.filter((criterion) => {
    const old = before.get(criterion.id)
    return old === undefined || !sameJson(judging(old), judging(criterion))
  })
  return [...changed.map(({ id }) => id), ...earlier.filter(({ id }) => !kept.has(id)).map(({ id }) => id)]
}

const judging = ({ levels, params, plugin, revision }: Judging) => ({
  plugin,
  revision: revisionParts(revision).major,
  params,
  levels: levels.map(({ earns, status, when }) => ({ earns, status, when: when ?? null }))
})
