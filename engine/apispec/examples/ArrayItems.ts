import { has, isList, type Json, member } from "../text/Json.ts"
import { canonical } from "./Canonical.ts"
import { isModern, numberAt } from "./Scalars.ts"
import {
  allOf,
  allOfEach,
  below,
  isMismatch,
  type Judging,
  part,
  refusal,
  spend,
  type ValueVerdict
} from "./ValueVerdict.ts"

/** The items of an array: how many, which, and whether they differ. */
export const judgeItems = (judging: Judging): ValueVerdict => {
  const { value } = judging
  if (!isList(value)) return "accepted"
  return allOf([
    () => judgeCount(judging, value.length),
    () => judgeEach(judging, value),
    () => judgeContained(judging, value),
    () => judgeUnique(judging, value)
  ])
}

const judgeCount = (judging: Judging, count: number): ValueVerdict => {
  const [least, most] = [numberAt(judging.schema.value, "minItems"), numberAt(judging.schema.value, "maxItems")]
  if (least !== null && count < least)
    return refusal(judging, "bound", `at least ${least} ${least === 1 ? "item" : "items"}`)
  return most !== null && count > most
    ? refusal(judging, "bound", `at most ${most} ${most === 1 ? "item" : "items"}`)
    : "accepted"
}

const judgeEach = ({ comparison, inner, schema }: Judging, value: ReadonlyArray<Json>): ValueVerdict => {
  const tupleKey = comparison.dialect === "2020-12" ? "prefixItems" : "items"
  const restKey = tupleKey === "items" && isList(member(schema.value, "items")) ? "additionalItems" : "items"
  const tuple = member(schema.value, tupleKey)
  const known = isList(tuple) ? tuple : []
  const rest = member(schema.value, restKey)
  // A list is no schema here: of an older draft than the description's.
  if (isList(rest) || has(schema.value, "unevaluatedItems")) return "unknown"
  return allOfEach(value, (item, index) => {
    const own = known[index]
    if (own !== undefined) return below(String(index), inner(item, part(schema, own, tupleKey, String(index))))
    return rest === undefined ? "accepted" : below(String(index), inner(item, part(schema, rest, restKey)))
  })
}

const judgeContained = (judging: Judging, value: ReadonlyArray<Json>): ValueVerdict => {
  const { comparison, inner, schema } = judging
  if (!isModern(comparison) || !has(schema.value, "contains")) return "accepted"
  const wanted = part(schema, member(schema.value, "contains"), "contains")
  const bounded = comparison.dialect === "2020-12"
  const least = (bounded ? numberAt(schema.value, "minContains") : null) ?? 1
  const most = (bounded ? numberAt(schema.value, "maxContains") : null) ?? Infinity
  const verdicts = value.map((item) => inner(item, wanted))
  const accepted = verdicts.filter((verdict) => verdict === "accepted").length
  const refused = verdicts.filter(isMismatch).length
  if (value.length - refused < least)
    return refusal(judging, "schema", least === 1 ? "an item that it lacks" : `${least} items of a kind`)
  if (accepted > most) return refusal(judging, "schema", `at most ${most} items of a kind`)
  return accepted >= least && value.length - refused <= most ? "accepted" : "unknown"
}

const judgeUnique = (judging: Judging, value: ReadonlyArray<Json>): ValueVerdict => {
  if (member(judging.schema.value, "uniqueItems") !== true) return "accepted"
  const seen = new Set<string>()
  for (const item of value) {
    const text = canonical(item)
    if (!spend(judging.comparison.work, 1 + text.length / 50)) return "unknown"
    if (seen.has(text)) return refusal(judging, "schema", "items that differ")
    seen.add(text)
  }
  return "accepted"
}
