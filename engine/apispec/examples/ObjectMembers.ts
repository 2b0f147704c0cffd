import { cutTo, entriesAt, has, isList, isObject, type Json, type JsonObject, listAt } from "../text/Json.ts"
import { definitionsOf, isOneSided } from "./Definitions.ts"
import { isAbridged, judgeProperties } from "./ObjectProperties.ts"
import { isModern, numberAt } from "./Scalars.ts"
import { allOf, allOfEach, type Judging, part, refusal, spend, type ValueVerdict } from "./ValueVerdict.ts"

/** The members of an object: how many, which there must be, which there may be, and what they are. */
export const judgeMembers = (judging: Judging): ValueVerdict => {
  const { value } = judging
  if (!isObject(value)) return "accepted"
  return allOf([
    () => judgeCount(judging, Object.keys(value).length),
    () => judgeNames(judging, value, listAt(judging.schema.value, "required")),
    () => judgeProperties(judging, value),
    () => (isModern(judging.comparison) ? judgeDependent(judging, value) : "accepted")
  ])
}

const judgeCount = (judging: Judging, count: number): ValueVerdict => {
  const least = numberAt(judging.schema.value, "minProperties")
  const most = numberAt(judging.schema.value, "maxProperties")
  if (least !== null && count < least)
    return refusal(judging, "bound", `at least ${least} ${least === 1 ? "property" : "properties"}`)
  return most !== null && count > most
    ? refusal(judging, "bound", `at most ${most} ${most === 1 ? "property" : "properties"}`)
    : "accepted"
}

/** A name of a list costs less than a value. */
const NAME = 0.2

const judgeNames = (judging: Judging, value: JsonObject, names: ReadonlyArray<Json>): ValueVerdict =>
  allOfEach(names, (name) => {
    if (!spend(judging.comparison.work, NAME)) return "unknown"
    if (typeof name !== "string" || has(value, name)) return "accepted"
    return isAbridged(value) || mayLack(judging, name) ? "unknown" : refusal(judging, "required", cutTo(name, 80), name)
  })

/** It is not sent in this direction, or what it is was not read. */
const mayLack = (judging: Judging, name: string): boolean => {
  const { complete, found } = definitionsOf(judging, name)
  return (found.length === 0 && !complete) || found.some((definition) => isOneSided(judging.comparison, definition))
}

const judgeDependent = (judging: Judging, value: JsonObject): ValueVerdict => {
  const { comparison, same, schema } = judging
  const keywords = comparison.dialect === "draft-07" ? ["dependencies"] : ["dependentRequired", "dependentSchemas"]
  const wanted = keywords.flatMap((keyword) =>
    entriesAt(schema.value, keyword).map(([name, wants]) => ({ keyword, name, wants }))
  )
  if (!spend(comparison.work, NAME * wanted.length)) return "unknown"
  return allOfEach(wanted, ({ keyword, name, wants }) => {
    if (!has(value, name)) return "accepted"
    return isList(wants) ? judgeNames(judging, value, wants) : same(part(schema, wants, keyword, name))
  })
}
