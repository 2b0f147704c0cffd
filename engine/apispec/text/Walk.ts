import { isList, isObject, type Json, type JsonObject } from "./Json.ts"
import type { Path } from "./Pointer.ts"

/** Members that hold data as it travels, not description: a `$ref` in there is a string like any other. */
const DATA = new Set(["example", "default", "enum", "const"])

/** Members whose keys are names given by the author, where `default` or `example` is a name like any other. */
const NAMED = new Set(
  (
    "paths webhooks pathItems schemas responses parameters requestBodies headers securitySchemes securityDefinitions links callbacks" +
    " properties patternProperties definitions $defs dependentSchemas dependencies content mediaTypes encoding variables mapping" +
    " scopes channels messages operations servers messageTraits operationTraits"
  ).split(" ")
)

/**
 * Visits every object of a description that describes something, parents first, in document order, each once even where
 * YAML aliases share it. Examples, defaults and extensions (`x-…`) are left out. `path` is valid during the visit only.
 *
 * Recurses: the depth of a document is bounded before it gets here.
 */
export const walk = (root: Json, visit: (node: JsonObject, path: Path) => void): void => {
  const seen = new WeakSet<object>()
  const path: Array<string> = []

  const into = (value: Json, key: string, named: boolean): void => {
    if (typeof value !== "object" || value === null) return
    path.push(key)
    step(value, named)
    path.pop()
  }

  const step = (value: ReadonlyArray<Json> | JsonObject, named: boolean): void => {
    if (seen.has(value)) return
    seen.add(value)
    if (isList(value)) return value.forEach((item, index) => into(item, String(index), false))
    if (!named) visit(value, path)
    for (const key of Object.keys(value)) {
      const child = value[key]
      if (child === undefined) continue
      if (named) into(child, key, false)
      else if (key === "examples") visitExamples(child)
      else if (!DATA.has(key) && !key.startsWith("x-")) into(child, key, NAMED.has(key) && isObject(child))
    }
  }

  /** An example may be given by reference; what it holds is data. */
  const visitExamples = (examples: Json): void => {
    if (!isObject(examples)) return
    for (const [name, example] of Object.entries(examples)) {
      if (!isObject(example) || typeof example["$ref"] !== "string") continue
      path.push("examples", name)
      visit(example, path)
      path.length -= 2
    }
  }

  if (typeof root === "object" && root !== null) step(root, false)
}
