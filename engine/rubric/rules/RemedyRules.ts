import type { FactFields } from "../../criterion/Fact.ts"
import type { Condition } from "../condition/Condition.ts"
import type { Draft, DraftCriterion } from "../source/Draft.ts"
import type { Diagnostic } from "../source/SourceText.ts"
import type { Linked } from "./PluginRules.ts"
import { combination, combinations, type RepresentativeValue, representatives } from "./Stretches.ts"
import { thresholdsOf } from "./Thresholds.ts"

/** More combinations of values than this are not tried: the remedy then counts as sound. */
const MOST_COMBINATIONS = 20_000

/**
 * A remedy must have a step to advise wherever points are missing. Facts are tried as for unreachable levels: one value
 * for each stretch that no condition divides, in every combination, dependent or not.
 */
export const remedyDiagnostics = (
  { criteria }: Draft,
  linked: ReadonlyArray<Linked<unknown>>
): ReadonlyArray<Diagnostic> =>
  criteria.flatMap((criterion, index) => {
    const { conditions = [], facts = {}, unless = [] } = linked[index] ?? {}
    return finishedDiagnostics(criterion, conditions[0] ?? null, unless, facts)
  })

const finishedDiagnostics = (
  { steps }: DraftCriterion,
  full: Condition | null,
  unless: ReadonlyArray<Condition | null>,
  fields: FactFields
): ReadonlyArray<Diagnostic> => {
  const [first] = steps
  const met = unless.filter((condition) => condition !== null)
  if (full === null || first === undefined || met.length < steps.length) return []
  const facts = finishedWithout(full, met, fields)
  if (facts === null) return []
  const shown = Object.entries(facts)
    .map(([name, value]) => `${name} ${typeof value === "string" ? `"${value}"` : String(value)}`)
    .join(", ")
  return [
    {
      rule: "finished_remedy",
      span: first.head,
      message: "every step is done while points are missing",
      hint: `with ${shown}, for example: add a step, or let one ask for more`
    }
  ]
}

/** Facts with which every step is done and the first level is not reached; `null`: there are none, or they cannot be told. */
const finishedWithout = (
  full: Condition,
  unless: ReadonlyArray<Condition>,
  fields: FactFields
): Readonly<Record<string, RepresentativeValue>> | null => {
  const all = [full, ...unless]
  const thresholds = thresholdsOf(
    all.map(({ tree }) => tree),
    fields
  )
  if (thresholds === null) return null
  const names = [...new Set(all.flatMap(({ reads }) => reads))]
  const values = names.map((name) => representatives(name, fields[name], thresholds))
  const total = combinations(values)
  if (total > MOST_COMBINATIONS) return null
  for (let index = 0; index < total; index += 1) {
    const facts = combination(names, values, index)
    if (!full.holds(facts) && unless.every((condition) => condition.holds(facts))) return facts
  }
  return null
}
