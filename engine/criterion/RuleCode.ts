import * as Predicate from "effect/Predicate"

/** What the code of a rule may have, by name; the names are those of its options. */
interface RuleOptions {
  readonly required: ReadonlyArray<string>
  readonly optional: ReadonlyArray<string>
}

/**
 * Refuses code that could not work, where the plugin is loaded and not where a site is audited: authors of plugins in JavaScript have no
 * types. @throws Error that says what to write.
 */
export const refuseMistakes = (declaration: string, code: object, { optional, required }: RuleOptions): void => {
  const known = [...required, ...optional]
  const unknown = Object.keys(code).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`${declaration} has no option "${unknown}"; it has ${known.join(", ")}`)
  const missing = required.find((name) => !(name in code))
  if (missing !== undefined) throw new Error(`${declaration} needs "${missing}"`)
  for (const name of ["where", "of"])
    if (Predicate.hasProperty(code, name) && code[name] !== undefined && typeof code[name] !== "function")
      throw new Error(`"${name}" of ${declaration} must be a function`)
  if (Predicate.hasProperty(code, "says") && code.says !== undefined && !isForms(code.says))
    throw new Error(`"says" of ${declaration} must be two texts: ["names its owner", "name their owner"]`)
}

const isForms = (says: unknown): boolean =>
  Array.isArray(says) && says.length === 2 && says.every((form) => typeof form === "string")

/** What a function of a rule returned. @throws TypeError unless it is true or false: a promise or a text would count as met. */
export const trueOrFalse = (name: string, returned: unknown): boolean => {
  if (typeof returned === "boolean") return returned
  if (Predicate.isPromise(returned))
    throw new TypeError(`"${name}" must not be async: it must return true or false, and returned a promise`)
  throw new TypeError(`"${name}" must return true or false, and returned ${kindOf(returned)}`)
}

const kindOf = (value: unknown): string =>
  value === null || value === undefined ? String(value) : `a value of type ${typeof value}`
