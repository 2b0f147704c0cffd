import type { FactRecord } from "../../engine/criterion/Fact.ts"
import type { Decisive, Move } from "../../engine/audit/Move.ts"

/** A difference of points, with its sign: `+2`, `−1`, `0`. */
export const signed = (change: number): string => {
  if (change === 0) return "0"
  return change > 0 ? `+${change}` : `−${Math.abs(change)}`
}

/** What a criterion gained or lost; nothing where a rubric does not have it. */
export const changeOfMove = ({ after, before }: Pick<Move, "before" | "after">): number => (after?.score ?? 0) - (before?.score ?? 0)

/** `facts` as a rubric's author writes them: `links = 3, alive = 0.9`. */
export const factsText = (facts: FactRecord): string =>
  Object.entries(facts).map(([name, value]) => `${name} = ${typeof value === "string" ? `"${value}"` : String(value)}`).join(", ")

/** What a level's condition came to, as a clause; `quote` marks the condition. */
export const decisiveText = ({ condition, earns, held }: Decisive, quote: (condition: string) => string): string => {
  const points = earns === 1 ? "1 point" : `${earns} points`
  if (condition === null) return `none of the levels held (${points})`
  return `${quote(condition.replace(/\s+/gu, " "))} ${held ? "held" : "did not hold"} (${points})`
}

/** Why a criterion moved, in one to three clauses: the condition of before, the condition of now, the facts. */
export const reasons = (move: Move, quote: (condition: string) => string): ReadonlyArray<string> => {
  const { after, before, conditionAfter, conditionBefore, facts, remeasured } = move
  const named = factsText(facts)
  const then = remeasured === null ? "" : factsText(remeasured.facts)
  return [
    ...(before === null ? ["the earlier rubric did not have it"] : []),
    ...(conditionBefore === null ? [] : [`before: ${decisiveText(conditionBefore, quote)}`]),
    ...(before !== null && conditionBefore === null && before.status !== "inconclusive" ? ["before: the rubric that judged is not at hand (give it with --before)"] : []),
    ...(after === null ? ["the rubric no longer has it"] : []),
    ...(conditionAfter === null ? [] : [`now: ${decisiveText(conditionAfter, quote)}`]),
    ...(named === "" ? [] : [`facts: ${named}`]),
    ...(remeasured === null ? [] : [`measured again, since it ${remeasured.reason}${then === "" ? "" : `: then ${then}`}`])
  ]
}
