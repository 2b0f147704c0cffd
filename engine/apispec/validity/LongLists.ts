import { isList, isObject, type Json, type JsonObject } from "../text/Json.ts"

/** Lists whose items must differ: the validators compare each item with every other. */
const DISTINCT = new Set(["tags", "parameters", "enum", "required", "security", "consumes", "produces", "schemes"])

/** Items of such a list that are checked: descriptions in use have some hundreds. */
const CHECKED = 1_000

const isLong = (list: ReadonlyArray<Json>, key: string): boolean => list.length > CHECKED && DISTINCT.has(key)

/** The document itself, or one with the beginnings of its lists where some are longer than what is checked of them. */
export const withoutLongLists = (root: Json): Json => (hasLongList(root, "") ? shortened(root, "") : root)

const hasLongList = (value: Json, key: string): boolean => {
  if (isList(value)) return isLong(value, key) || value.some((item) => hasLongList(item, ""))
  return isObject(value) && Object.keys(value).some((name) => hasLongList(value[name] ?? null, name))
}

/** Recurses: the depth of a document is bounded before it gets here. */
const shortened = (value: Json, key: string): Json => {
  if (isList(value)) return (isLong(value, key) ? value.slice(0, CHECKED) : value).map((item) => shortened(item, ""))
  return isObject(value) ? shortenedObject(value) : value
}

const shortenedObject = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member, name)]))
