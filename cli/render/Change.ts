import type { FactRecord } from "../../engine/criterion/Fact.ts"
import type { DecidingCondition, CriterionChange } from "../../engine/audit/compare/CriterionChange.ts"

/** The points a criterion gained or lost; empty if one rubric does not have it. */
export const changeOfMove = ({ after, before }: Pick<CriterionChange, "before" | "after">): number =>
  (after?.score ?? 0) - (before?.score ?? 0)

/** `facts` as in a rubric's conditions: `links = 3, alive = 0.9`. */
const factsText = (facts: FactRecord): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name} = ${typeof value === "string" ? `"${value}"` : String(value)}`)
    .join(", ")

/** The result of a level's condition, as a clause; `quote` marks the condition. */
const decisiveText = ({ condition, earns, held }: DecidingCondition, quote: (condition: string) => string): string => {
  const points = earns === 1 ? "1 point" : `${earns} points`
  if (condition === null) return `no level was reached (${points})`
  return `${quote(condition.replace(/\s+/gu, " "))} ${held ? "held" : "did not hold"} (${points})`
}

/** Why a criterion's points changed, in one to three clauses: the old condition, the new condition, the facts. */
export const reasons = (move: CriterionChange, quote: (condition: string) => string): ReadonlyArray<string> => {
  const { after, before, conditionAfter, conditionBefore, facts, remeasured } = move
  const named = factsText(facts)
  const then = remeasured === null ? "" : factsText(remeasured.facts)
  return [
    ...(before === null ? ["the earlier rubric gave no points for it"] : []),
    ...(conditionBefore === null ? [] : [`before: ${decisiveText(conditionBefore, quote)}`]),
    ...(before !== null && conditionBefore === null && before.status !== "inconclusive"
      ? ["before: the earlier rubric is unknown (pass it with --before)"]
      : []),
    ...(after === null ? ["the rubric no longer has it"] : []),
    ...(conditionAfter === null ? [] : [`now: ${decisiveText(conditionAfter, quote)}`]),
    ...(named === "" ? [] : [`facts: ${named}`]),
    ...(remeasured === null
      ? []
      : [`measured again, since it ${remeasured.reason}${then === "" ? "" : `: then ${then}`}`])
  ]
}
