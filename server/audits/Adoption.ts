import type { Rubric } from "../../engine/rubric/definition/Rubric.ts"
import type { CriterionAdoption } from "../../engine/store/corpus/OutcomeCounts.ts"

/** A criterion of the rubric in force, and how many sites meet it. */
export interface AdoptedCriterion {
  readonly id: string
  readonly title: string
  /** Sites by outcome. */
  readonly sites: CriterionAdoption["sites"]
  /** Sites that it applies to and that could be checked. */
  readonly checked: number
}

/** A category of the rubric in force. */
export interface AdoptedCategory {
  readonly id: string
  readonly title: string
  /** The mean of its points over all sites, to a tenth. */
  readonly mean: number
  readonly points: number
  readonly criteria: ReadonlyArray<AdoptedCriterion>
}

/** The rubric's criteria with the sites that meet them. Criteria that no site was judged by are left out, and so are empty categories. */
export const adoptionBy = (
  { categories }: Pick<Rubric, "categories">,
  adoption: ReadonlyArray<CriterionAdoption>
): ReadonlyArray<AdoptedCategory> => {
  const byId = new Map(adoption.map((counts) => [counts.id, counts]))
  return categories.flatMap(({ criteria, id, points, title }) => {
    const counted = criteria.flatMap((criterion) => {
      const counts = byId.get(criterion.id)
      return counts === undefined ? [] : [{ criterion, counts }]
    })
    const most = counted.reduce((sum, { counts }) => sum + counts.maxPoints, 0)
    if (most === 0) return []
    const earned = counted.reduce((sum, { counts }) => sum + counts.points, 0)
    return [
      {
        id,
        title,
        points,
        mean: Math.round((earned / most) * points * 10) / 10,
        criteria: counted.map(({ counts: { sites }, criterion }) => ({
          id: criterion.id,
          title: criterion.title,
          sites,
          checked: sites.present + sites.partial + sites.absent
        }))
      }
    ]
  })
}
