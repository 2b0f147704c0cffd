import { isList, isObject, type Json } from "../text/Json.ts"

/** A text that is the same for equal values: members in the order of their names. Recurses as deep as the value, which is bounded. */
export const canonical = (value: Json): string => {
  if (isList(value)) return `[${value.map(canonical).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`)
  return `{${members.join(",")}}`
}
