import type { CriterionDefinition, Step } from "../definition/Rubric.ts"
import { type CommonChecks, commonChecks, isFaithful, NO_CHECKS, shortened } from "./ShortConditions.ts"
import { type Written, type WrittenMap, writtenMap } from "./Written.ts"

/**
 * A criterion as format 3 writes it: what its levels count becomes its checks, a step that is done where one of them or a true-or-false fact holds has its
 * name, and one that is done where all points are earned is a plain text.
 */
export const formatThreeCriterion = (definition: CriterionDefinition): WrittenMap => {
  const { levels, params, plugin, references, remedy, revision } = definition
  const when = levels.flatMap((level) => level.when ?? [])
  const unless = remedy.steps.flatMap((step) => (typeof step === "string" ? [] : (step.unless ?? [])))
  const common = faithfulChecks(when, unless)
  const checks = common.checks.map(({ counts, name, text }) => {
    const condition = shortened(text, NO_CHECKS)
    return [
      name,
      counts === 1
        ? condition
        : writtenMap([
            ["counts", counts],
            ["when", condition]
          ])
    ] as const
  })
  const points = levels.flatMap(({ earns, when }) =>
    when === undefined ? [] : [[String(earns), shortened(when, common)] as const]
  )
  return writtenMap([
    ["id", definition.id],
    ["title", definition.title],
    ["plugin", `${plugin}@${revision}`],
    ["needs", definition.needs],
    ["applies", definition.applies],
    ["params", Object.keys(params).length === 0 ? undefined : params],
    ["checks", checks.length === 0 ? undefined : writtenMap(checks)],
    ["points", writtenMap(points)],
    ["why", definition.why],
    ["how", definition.how],
    ["effort", remedy.effort],
    ["steps", remedy.steps.map((step) => stepOf(step, when[0], common))],
    ["recipes", remedy.recipes],
    ["read", references],
    ["evidence", definition.evidence],
    ["deprecated", definition.deprecated]
  ])
}

const faithfulChecks = (when: ReadonlyArray<string>, unless: ReadonlyArray<string>): CommonChecks => {
  const common = commonChecks(when, unless)
  return isFaithful([...when, ...unless], common) ? common : NO_CHECKS
}

const stepOf = (step: Step, full: string | undefined, common: CommonChecks): Written => {
  if (typeof step === "string") return writtenMap([["do", step]])
  const { do: text, unless } = step
  if (unless === undefined) return writtenMap([["do", text]])
  if (unless === full) return text
  const check = common.checks.find((each) => each.text === unless)
  const flag = /^facts\.([a-z]\w*)$/u.exec(unless)?.[1]
  if (check === undefined && flag !== undefined && !common.checks.some(({ name }) => name === flag))
    return writtenMap([[flag, text]])
  return check === undefined
    ? writtenMap([
        ["do", text],
        ["unless", shortened(unless, common)]
      ])
    : writtenMap([[check.name, text]])
}
