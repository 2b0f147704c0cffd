import { revisionParts } from "../../plugin/Registry.ts"
import type { LoadedCriterion } from "../../rubric/RubricFile.ts"
import { sameJson } from "../../rubric/source/SameJson.ts"
import type { Measured } from "../Report.ts"
import { judge, type Judgement } from "../Score.ts"

/** What can be judged again: a criterion of a rubric, whatever plugin it is bound to. */
export type Rejudging = Pick<LoadedCriterion<unknown>, "definition" | "levels">

/** Why stored facts say nothing about a criterion as it is now. */
export type NotRejudged =
  | "not_measured"
  /** Another plugin, or another major revision of it: the same site could give other facts. */
  | "plugin"
  /** The plugin was told other params. */
  | "params"
  /** A condition reads a fact that the plugin did not have yet. */
  | "facts"

/** A judgement of facts that were measured earlier, or the reason why there is none. */
export type Rejudgement = Judgement | NotRejudged

/**
 * Judges facts that an earlier run measured by a criterion of another rubric. Only facts that the criterion's own plugin, at its
 * revision, with its params would have measured are judged; missing evidence stays `inconclusive`. A revision that only added facts
 * needs no trace in a report: the facts that a report has tell whether the conditions can be judged.
 */
export const rejudge = ({ definition, levels }: Rejudging, measured: Measured | undefined): Rejudgement => {
  if (measured === undefined) return "not_measured"
  if (measured.plugin !== definition.plugin || measured.revision !== revisionParts(definition.revision).major)
    return "plugin"
  if (!sameJson(measured.params, definition.params)) return "params"
  const { facts } = measured
  if (facts !== null && levels.some(({ condition }) => condition?.reads.some((name) => !Object.hasOwn(facts, name))))
    return "facts"
  return judge(levels, facts, measured.uncertain)
}

/** The reason in words, to follow the criterion's id. */
export const notRejudgedText: Readonly<Record<NotRejudged, string>> = {
  not_measured: "was not measured",
  plugin: "was measured by another plugin or revision",
  params: "was measured with other params",
  facts: "was measured by an earlier revision, which lacks a fact that is judged now"
}
