import { child, type Documents, type Located } from "./Documents.ts"
import { entriesAt, isObject, listAt, objectAt, stringAt } from "./Json.ts"
import type { Path } from "./Pointer.ts"

/** An operation of an OpenAPI or Swagger description, as its path item has it. */
export interface Operation {
  /** Upper case. */
  readonly method: string
  readonly path: string
  /** Where the main document has it: `/paths/<path>/<method>`; what it holds may stand elsewhere. */
  readonly at: Path
  readonly located: Located
  /** Its own and its path's, references followed; of two of one name and place the operation's own. */
  readonly parameters: ReadonlyArray<Located>
  /** False where a parameter's reference leads nowhere or to a file that was not read. */
  readonly parametersKnown: boolean
  readonly responses: ReadonlyArray<OperationResponse>
}

export interface OperationResponse {
  /** `200`, `4XX`, `default` … as written. */
  readonly status: string
  readonly located: Located
}

/** Operations read of one description; a real one has some thousands at the most. */
export const OPERATION_LIMIT = 50_000

/** Members of a path item that are operations. */
export const METHODS: ReadonlySet<string> = new Set("get put post delete options head patch trace query".split(" "))

/** In document order, at most `OPERATION_LIMIT`. */
export const operationsOf = (documents: Documents): ReadonlyArray<Operation> => {
  const operations: Array<Operation> = []
  const root: Located = { value: documents.main.root, document: documents.main, path: [] }
  for (const [path] of entriesAt(documents.main.root, "paths")) {
    if (!path.startsWith("/")) continue
    const item = child(documents, root, "paths", path)
    if (item === null) continue
    for (const [keys, method] of methodsOf(item)) {
      const located = child(documents, item, ...keys)
      if (located === null || !isObject(located.value) || operations.length >= OPERATION_LIMIT) continue
      operations.push({
        method: method.toUpperCase(),
        path,
        at: ["paths", path, ...keys],
        located,
        ...parametersOf(documents, item, located),
        responses: responsesOf(documents, located)
      })
    }
  }
  return operations
}

const methodsOf = (item: Located): ReadonlyArray<readonly [keys: Path, method: string]> => [
  ...Object.keys(isObject(item.value) ? item.value : {}).filter((key) => METHODS.has(key)).map((key) => [[key], key] as const),
  ...Object.keys(objectAt(item.value, "additionalOperations")).map((key) => [["additionalOperations", key], key] as const)
]

const parametersOf = (
  documents: Documents,
  item: Located,
  operation: Located
): Pick<Operation, "parameters" | "parametersKnown"> => {
  const byName = new Map<string, Located>()
  let parametersKnown = true
  for (const holder of [item, operation]) {
    for (const index of listAt(holder.value, "parameters").keys()) {
      const parameter = child(documents, holder, "parameters", String(index))
      if (parameter === null) parametersKnown = false
      else byName.set(`${stringAt(parameter.value, "in")} ${stringAt(parameter.value, "name")}`, parameter)
    }
  }
  return { parameters: [...byName.values()], parametersKnown }
}

const responsesOf = (documents: Documents, operation: Located): ReadonlyArray<OperationResponse> =>
  Object.keys(objectAt(operation.value, "responses")).flatMap((status) => {
    if (status.startsWith("x-")) return []
    const located = child(documents, operation, "responses", status)
    return located === null || !isObject(located.value) ? [] : [{ status, located }]
  })

export const isSuccess = (status: string): boolean => /^2(?:\d\d|XX)$/i.test(status)

/** A 4xx or the default answer. */
export const isClientError = (status: string): boolean => /^4(?:\d\d|XX)$/i.test(status) || status === "default"

/** An entry of a `content` map. */
export interface MediaType {
  /** Lower case, with parameters as written. */
  readonly name: string
  readonly located: Located
}

export const contentOf = (documents: Documents, holder: Located): ReadonlyArray<MediaType> =>
  Object.keys(objectAt(holder.value, "content")).flatMap((name) => {
    const located = child(documents, holder, "content", name)
    return located === null ? [] : [{ name: name.toLowerCase(), located }]
  })

/** The request's body: `requestBody`, or Swagger 2's `in: body`; `null` where there is none. */
export const requestBodyOf = (documents: Documents, operation: Operation): Located | null =>
  child(documents, operation.located, "requestBody")
    ?? operation.parameters.find((parameter) => stringAt(parameter.value, "in") === "body")
    ?? null
