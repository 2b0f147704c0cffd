import { isJsonObject } from "../../../engine/text/JsonText.ts"

/** Members whose wording is not part of the contract, and servers, which are the operator's. */
const WORDING = new Set(["description", "summary", "example", "examples", "title", "servers"])

/** What a document takes away from, or asks more than, an earlier one: a line each; none where it only adds. */
export const additionsOnly = (before: unknown, after: unknown, path = ""): ReadonlyArray<string> => {
  if (Array.isArray(before))
    return Array.isArray(after) ? listAdditions(before, after, path) : [`${path} is no list any more`]
  if (isJsonObject(before)) {
    if (!isJsonObject(after)) return [`${path} is no object any more`]
    return Object.entries(before).flatMap(([key, member]) => {
      if (WORDING.has(key) && !path.endsWith("/properties")) return []
      return key in after ? additionsOnly(member, after[key], `${path}/${key}`) : [`${path}/${key} is gone`]
    })
  }
  return before === after ? [] : [`${path}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`]
}

/** Lists of named things go by their names, others by their values. */
const listAdditions = (
  before: ReadonlyArray<unknown>,
  after: ReadonlyArray<unknown>,
  path: string
): ReadonlyArray<string> => {
  const added = after.filter(
    (item) => isJsonObject(item) && item["required"] === true && !before.some((one) => nameOf(one) === nameOf(item))
  )
  const demanded = path.endsWith("Request/required")
    ? after.filter((item) => !before.includes(item))
    : path.endsWith("/parameters")
      ? added
      : []
  const demands = demanded.map((item) => `${path}: ${nameOf(item)} is new and required`)
  return [
    ...before.flatMap((item) => {
      const same = after.find((one) => nameOf(one) === nameOf(item))
      return same === undefined
        ? [`${path}: ${nameOf(item)} is gone`]
        : isJsonObject(item)
          ? additionsOnly(item, same, `${path}/${nameOf(item)}`)
          : []
    }),
    ...demands
  ]
}

const nameOf = (item: unknown): string => {
  if (!isJsonObject(item)) return JSON.stringify(item)
  const name = item["name"] ?? item["$ref"]
  return typeof name === "string" ? name : JSON.stringify(item)
}
