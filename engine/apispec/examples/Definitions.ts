import { follow, type Located, wayOf } from "../text/Documents.ts"
import { has, isObject, listAt, member, objectAt } from "../text/Json.ts"
import { type JudgeContext, type Definitions, type Judging, part, spend } from "./ValueVerdict.ts"

const COMBINATIONS = ["allOf", "anyOf", "oneOf"] as const
const BRANCHES = ["if", "then", "else"] as const

/** Parts of one schema that are looked at. */
const PARTS = 300

/** Steps that one of them costs: it takes as long as some values at a schema. */
const PART = 4

/** The definitions of a property in the outermost schema of this value, and in everything that it is combined of. */
export const definitionsOf = ({ at, comparison }: Judging, name: string): Definitions => {
  const known = comparison.definitions.get(at.whole.value) ?? new Map<string, Definitions>()
  comparison.definitions.set(at.whole.value, known)
  const definitions = known.get(name) ?? searched(comparison, at.whole, name)
  // Where the work was used up, another value may have more left.
  if (comparison.work.left >= 0) known.set(name, definitions)
  return definitions
}

const searched = (comparison: JudgeContext, whole: Located, name: string): Definitions => {
  const found: Array<Located> = []
  const pending = new Map([[whole.value, whole]])
  let complete = true
  for (const written of pending.values()) {
    const schema = follow(comparison.documents, written)
    if (pending.size > PARTS || !spend(comparison.work, PART)) return { found, complete: false }
    if (schema === null) {
      complete = false
      continue
    }
    for (const place of schema === written ? [schema] : [written, schema]) {
      const properties = objectAt(place.value, "properties")
      if (has(properties, name)) found.push(part(place, properties[name], "properties", name))
      for (const branch of branchesOf(place)) pending.set(branch.value, branch)
    }
    if (schema !== written) pending.set(schema.value, schema)
  }
  return { found, complete }
}

const branchesOf = (schema: Located): ReadonlyArray<Located> => [
  ...COMBINATIONS.flatMap((keyword) =>
    listAt(schema.value, keyword)
      .slice(0, PARTS + 1)
      .map((branch, index) => part(schema, branch, keyword, String(index)))
  ),
  ...BRANCHES.filter((keyword) => isObject(member(schema.value, keyword))).map((keyword) =>
    part(schema, member(schema.value, keyword), keyword)
  )
]

/** Whether a property is sent in the other direction only. A reference may say so beside it, and so may what it is made of. */
export const isOneSided = ({ direction, documents, work }: JudgeContext, definition: Located): boolean => {
  const flags = FLAGS[direction]
  const says = (place: Located): boolean =>
    wayOf(documents, place).some(({ value }) => flags.some((flag) => member(value, flag) === true))
  if (says(definition)) return true
  const target = follow(documents, definition)
  const branches = target === null ? [] : branchesOf(target)
  spend(work, 1 + branches.length)
  return branches.some(says)
}

const FLAGS = { request: ["readOnly"], answer: ["writeOnly"], either: ["readOnly", "writeOnly"] } as const
