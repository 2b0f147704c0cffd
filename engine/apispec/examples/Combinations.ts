import type { Located } from "../text/Documents.ts"
import { has, listAt, member, objectAt, stringAt } from "../text/Json.ts"
import { isModern } from "./Scalars.ts"
import {
  allOf,
  allOfEach,
  isMismatch,
  isSpent,
  type Judging,
  type Mismatch,
  part,
  refusal,
  spend,
  type ValueVerdict
} from "./ValueVerdict.ts"

/** Schemas of the same value: all of several, one of several, none, or one that depends on another. */
export const judgeCombinations = (judging: Judging): ValueVerdict =>
  COMBINING.some((keyword) => has(judging.schema.value, keyword))
    ? allOf([
        () => allOfEach(branchesOf(judging, "allOf"), (branch) => judging.same(branch)),
        () => judgeAlternatives(judging, "anyOf"),
        () => judgeAlternatives(judging, "oneOf"),
        () => judgeNot(judging),
        () => judgeCondition(judging)
      ])
    : "accepted"

const COMBINING = ["allOf", "anyOf", "oneOf", "not", "if"]

/** Many that are listed cost something, also where the first decides. */
const branchesOf = ({ comparison, schema }: Judging, keyword: string): ReadonlyArray<Located> => {
  const branches = listAt(schema.value, keyword)
  spend(comparison.work, branches.length / 10)
  return branches.map((branch, index) => part(schema, branch, keyword, String(index)))
}

/**
 * Refused where every alternative refuses it. A value of several alternatives of `oneOf`, of which it may be of one only, shows
 * a fault of the schema and not of the value.
 */
const judgeAlternatives = (judging: Judging, keyword: "anyOf" | "oneOf"): ValueVerdict => {
  const branches = branchesOf(judging, keyword)
  if (branches.length === 0) return "accepted"
  const refusals: Array<Mismatch> = []
  let accepted = 0
  for (const branch of branches) {
    if (isSpent(judging.comparison.work)) return "unknown"
    const verdict = judging.same(branch)
    if (isMismatch(verdict)) refusals.push(verdict)
    else if (verdict === "accepted") accepted++
    if (keyword === "anyOf" && accepted > 0) return "accepted"
  }
  if (refusals.length < branches.length)
    return accepted === 1 && refusals.length === branches.length - 1 ? "accepted" : "unknown"
  return meant(judging, branches, refusals) ?? refusal(judging, "schema", `one of its ${branches.length} alternatives`)
}

/** The refusal by the alternative that the value is meant to be of: the one that it names, or the only one of its type. */
const meant = (
  judging: Judging,
  branches: ReadonlyArray<Located>,
  refusals: ReadonlyArray<Mismatch>
): Mismatch | null => {
  const named = namedBranch(judging, branches)
  if (named !== null) return refusals[named] ?? null
  const ofType = refusals.filter(({ path, reason }) => path.length > 0 || reason !== "type")
  const [only] = ofType
  if (ofType.length === 1 && only !== undefined) return only
  const wants = new Set(refusals.map((one) => one.wants))
  return ofType.length === 0 && wants.size <= 4 ? refusal(judging, "type", [...wants].join(" or ")) : null
}

/** By `discriminator`: the index of the alternative, `null` where none is named. */
const namedBranch = ({ schema, value }: Judging, branches: ReadonlyArray<Located>): number | null => {
  const discriminator = objectAt(schema.value, "discriminator")
  const name = stringAt(value, stringAt(discriminator, "propertyName"))
  if (name === "") return null
  const ref = stringAt(objectAt(discriminator, "mapping"), name) || name
  const index = branches.findIndex((branch) => {
    const written = stringAt(branch.value, "$ref")
    return written !== "" && (written === ref || written.endsWith(`/${ref}`))
  })
  return index < 0 ? null : index
}

const judgeNot = (judging: Judging): ValueVerdict => {
  if (!has(judging.schema.value, "not")) return "accepted"
  const verdict = judging.same(part(judging.schema, member(judging.schema.value, "not"), "not"), false)
  if (verdict === "accepted") return refusal(judging, "schema", "something else")
  return isMismatch(verdict) ? "accepted" : "unknown"
}

const judgeCondition = (judging: Judging): ValueVerdict => {
  const { comparison, same, schema } = judging
  if (!isModern(comparison) || !has(schema.value, "if")) return "accepted"
  const met = same(part(schema, member(schema.value, "if"), "if"), false)
  if (met === "unknown") return "unknown"
  const keyword = met === "accepted" ? "then" : "else"
  return has(schema.value, keyword) ? same(part(schema, member(schema.value, keyword), keyword)) : "accepted"
}
