import type { SpecErrorRule } from "../ApiSpec.ts"
import type { HttpOperation } from "../quality/SpecOperations.ts"
import { type Documents, placeKey } from "../text/Documents.ts"
import { cutTo, has, type Path, stringAt } from "../text/Json.ts"

/** What the schema cannot say about operations: ids, paths and parameters that have to differ or to match. */
export const operationFlaws = (documents: Documents, operations: ReadonlyArray<HttpOperation>): ReadonlyArray<Flaw> => [
  ...repeatedIds(documents, operations),
  ...identicalPaths(documents, operations),
  ...operations.flatMap((operation) => pathParameterFlaws(documents.main.url, operation)),
  ...(has(documents.main.root, "swagger")
    ? operations.flatMap((operation) => bodyFlaws(documents.main.url, operation))
    : []),
  ...repeatedParameters(operations)
]

const repeatedIds = (documents: Documents, operations: ReadonlyArray<HttpOperation>): ReadonlyArray<Flaw> => {
  const byId = new Map<string, Array<HttpOperation>>()
  for (const operation of operations) {
    const id = stringAt(operation.located.value, "operationId")
    if (id !== "") listed(byId, id).push(operation)
  }
  return [...byId]
    .filter(([, sharing]) => sharing.length > 1)
    .flatMap(([id, sharing]) =>
      sharing.map((operation): Flaw => ({
        rule: "operation_id",
        url: documents.main.url,
        path: operation.at,
        message: `the operationId \`${cutTo(id, 60)}\` is used ${sharing.length} times`
      }))
    )
}

/** "Templated paths with the same hierarchy but different templated names MUST NOT exist as they are identical." */
const identicalPaths = (documents: Documents, operations: ReadonlyArray<HttpOperation>): ReadonlyArray<Flaw> => {
  const byPattern = new Map<string, Array<string>>()
  for (const path of new Set(operations.map((operation) => operation.path)))
    listed(byPattern, templatePattern(path)).push(path)
  return [...byPattern.values()]
    .filter((paths) => paths.length > 1)
    .flatMap((paths) =>
      paths.map((path, index): Flaw => ({
        rule: "identical_path",
        url: documents.main.url,
        path: ["paths", path],
        message: `the path is identical to \`${cutTo(paths[index === 0 ? 1 : 0] ?? "", 80)}\`: only names in braces differ`
      }))
    )
}

const pathParameterFlaws = (url: string, operation: HttpOperation): ReadonlyArray<Flaw> => {
  const templated = templateNames(operation.path)
  const known = operation.parameters.filter((parameter) => stringAt(parameter.value, "in") === "path")
  const declared = new Set(known.map((parameter) => stringAt(parameter.value, "name")))
  const missing = operation.parametersKnown ? [...templated].filter((name) => !declared.has(name)) : []
  const surplus = [...declared].filter((name) => name !== "" && !templated.has(name))
  const flaw = (message: string): Flaw => ({ rule: "path_parameter", url, path: operation.at, message })
  return [
    ...missing.map((name) => flaw(`the path has \`{${cutTo(name, 40)}}\`, which no parameter declares`)),
    ...surplus.map((name) => flaw(`the path parameter \`${cutTo(name, 40)}\` is not in the path`))
  ]
}

/** Swagger 2: "body and form parameters cannot exist together for the same operation", and "there can only be one body parameter". */
const bodyFlaws = (url: string, { at, parameters }: HttpOperation): ReadonlyArray<Flaw> => {
  const bodies = parameters.filter(({ value }) => stringAt(value, "in") === "body").length
  const hasFields = parameters.some(({ value }) => stringAt(value, "in") === "formData")
  const flaw = (message: string): Flaw => ({ rule: "parameter", url, path: at, message })
  return [
    ...(bodies > 0 && hasFields
      ? [flaw("it has parameters in `body` and in `formData`, of which a request can have only one kind")]
      : []),
    ...(bodies > 1 ? [flaw("it has more than one parameter in `body`")] : [])
  ]
}

/** A list of parameters names each once in one place; a list of a path is met again with each of its operations. */
const repeatedParameters = (operations: ReadonlyArray<HttpOperation>): ReadonlyArray<Flaw> => {
  const flaws = new Map<string, Flaw>()
  for (const { repeated } of operations) {
    for (const { document, name, path } of repeated) {
      const message = `the parameter \`${cutTo(name, 40)}\` is in one list twice`
      flaws.set(placeKey({ document, path }), { rule: "parameter", url: document.url, path, message })
    }
  }
  return [...flaws.values()]
}

/** An error before it is known which operations it affects. */
export interface Flaw {
  readonly rule: SpecErrorRule
  readonly url: string
  readonly path: Path
  /** One plain clause. */
  readonly message: string
}

/** Names in braces, each once. A brace inside a name means that the template is broken, which the schema reports. */
export const templateNames = (template: string): ReadonlySet<string> =>
  new Set([...template.matchAll(TEMPLATE)].map((match) => match[1] ?? ""))

/** The template with all names left out: two paths with the same pattern match the same requests. */
const templatePattern = (template: string): string => template.replace(TEMPLATE, "{}")

const TEMPLATE = /\{([^{}/]{1,200})\}/g

/** The list at `key`, created where there is none. */
export const listed = <T>(lists: Map<string, Array<T>>, key: string): Array<T> => {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
