import type { LoadedCriterion } from "../../rubric/RubricFile.ts"
import { sameJson } from "../../rubric/diff/SameJson.ts"
import type { Measured } from "../Report.ts"
import { judge, type Judgement } from "../Score.ts"

/** What can be judged again: a criterion of a rubric, whatever plugin it is bound to. */
export type Rejudging = Pick<LoadedCriterion<unknown>, "definition" | "levels">

/** Why stored facts say nothing about a criterion as it is now. */
export type NotRejudged =
  | "not_measured"
  /** Another plugin, or another revision of it: the same site could give other facts. */
  | "plugin"
  /** The plugin was told other params. */
  | "params"

/** A judgement of facts that were measured earlier, or the reason why there is none. */
export type Rejudgement = Judgement | NotRejudged

/**
 * Judges facts that an earlier run measured by a criterion of another rubric. Only facts that the criterion's own plugin, at its
 * revision, with its params would have measured are judged; missing evidence stays `inconclusive`.
 */
export const rejudge = ({ definition, levels }: Rejudging, measured: Measured | undefined): Rejudgement => {
  if (measured === undefined) return "not_measured"
  if (measured.plugin !== definition.plugin || measured.revision !== definition.revision) return "plugin"
  if (!sameJson(measured.params, definition.params)) return "params"
  return judge(levels, measured.facts, measured.uncertain)
}

/** The reason in words, to follow the criterion's id. */
export const notRejudgedText: Readonly<Record<NotRejudged, string>> = {
  not_measured: "was not measured",
  plugin: "was measured by another plugin or revision",
  params: "was measured with other params"
}
