import { ratio } from "../../engine/plugin/Fact.ts"
import type { Portion } from "../../engine/apispec/ApiSpec.ts"

interface Weighed {
  readonly portion: Portion
  readonly weight: number
}

/** The weighted mean of shares; an empty group is left out and the other weights are scaled to 1. 0 if all are empty. */
export const weightedMean = (groups: ReadonlyArray<Weighed>): number => {
  const counting = groups.filter(({ portion }) => portion.whole > 0)
  const weights = counting.reduce((sum, { weight }) => sum + weight, 0)
  return ratio(
    counting.reduce((sum, { portion, weight }) => sum + weight * (portion.part / portion.whole), 0),
    weights
  )
}

export const shareOf = ({ part, whole }: Portion): number => ratio(part, whole)
