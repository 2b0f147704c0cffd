import { child, type Documents, follow, type IndexedDocument, type Located } from "../text/Documents.ts"
import { entriesAt, isObject, type Json, listAt, objectAt, type Path, stringAt } from "../text/Json.ts"

/** An operation of an OpenAPI or Swagger description, as its path item has it. */
export interface HttpOperation {
  /** Upper case. */
  readonly method: string
  readonly path: string
  /** Where the main document has it: `/paths/<path>/<method>`; what it holds may be elsewhere. */
  readonly at: Path
  readonly located: Located
  /** Its own and its path's, references followed; of two of one name and place the operation's own. */
  readonly parameters: ReadonlyArray<Located>
  /** The same, unresolved and in the same order: a reference may have its own description. */
  readonly writtenParameters: ReadonlyArray<Located>
  /** False where a parameter's reference leads nowhere or to a file that was not read. */
  readonly parametersKnown: boolean
  /** Parameters that occur a second time in the list of the operation or of its path. */
  readonly repeated: ReadonlyArray<RepeatedParameter>
  readonly responses: ReadonlyArray<OperationResponse>
}

interface RepeatedParameter {
  readonly name: string
  readonly document: IndexedDocument
  readonly path: Path
}

interface OperationResponse {
  /** `200`, `4XX`, `default` … as written. */
  readonly status: string
  readonly located: Located
}

/** Operations read of one description; a real one has some thousands at the most. */
export const OPERATION_LIMIT = 50_000

/**
 * Parameters, responses, and their headers and media types, that the operations of one description have together. Operations may
 * share what they refer to, so that a small document has any number; GitHub's have 12,000.
 */
const PARTS_LIMIT = 100_000

/** What `each` gives for the items, as far as it takes no more than `PARTS_LIMIT` in all. */
export const partsOfAll = <A, B>(items: ReadonlyArray<A>, each: (item: A) => ReadonlyArray<B>): ReadonlyArray<B> => {
  const parts: Array<B> = []
  for (const item of items) {
    if (parts.length > PARTS_LIMIT) break
    for (const part of each(item)) parts.push(part)
  }
  return parts
}

/** Members of a path item that are operations. */
export const METHODS: ReadonlySet<string> = new Set("get put post delete options head patch trace query".split(" "))

/** In document order, at most `OPERATION_LIMIT`, and at most as many as have `PARTS_LIMIT` parts. */
export const httpOperationsOf = (documents: Documents): ReadonlyArray<HttpOperation> => {
  const operations: Array<HttpOperation> = []
  let parts = 0
  const root: Located = { value: documents.main.root, document: documents.main, path: [] }
  for (const [path] of entriesAt(documents.main.root, "paths")) {
    if (!path.startsWith("/")) continue
    const item = child(documents, root, "paths", path)
    if (item === null) continue
    for (const [keys, method] of methodsOf(item)) {
      const located = child(documents, item, ...keys)
      if (located === null || !isObject(located.value)) continue
      if (operations.length >= OPERATION_LIMIT || parts > PARTS_LIMIT) return operations
      const operation: HttpOperation = {
        method: method.toUpperCase(),
        path,
        at: ["paths", path, ...keys],
        located,
        ...parametersOf(documents, item, located),
        responses: responsesOf(documents, located)
      }
      operations.push(operation)
      parts += partsIn(operation)
    }
  }
  return operations
}

const partsIn = ({ parameters, responses }: HttpOperation): number =>
  [...parameters, ...responses.map(({ located }) => located)].reduce(
    (sum, { value }) => sum + 1 + membersOf(value, "content") + membersOf(value, "headers"),
    0
  )

const membersOf = (value: Json, key: string): number => Object.keys(objectAt(value, key)).length

const methodsOf = (item: Located): ReadonlyArray<readonly [keys: Path, method: string]> => [
  ...Object.keys(isObject(item.value) ? item.value : {})
    .filter((key) => METHODS.has(key))
    .map((key) => [[key], key] as const),
  ...Object.keys(objectAt(item.value, "additionalOperations")).map(
    (key) => [["additionalOperations", key], key] as const
  )
]

const parametersOf = (
  documents: Documents,
  item: Located,
  operation: Located
): Pick<HttpOperation, "parameters" | "writtenParameters" | "parametersKnown" | "repeated"> => {
  const byName = new Map<string, { readonly parameter: Located; readonly written: Located }>()
  const repeated: Array<RepeatedParameter> = []
  let parametersKnown = true
  for (const holder of [item, operation]) {
    const inList = new Set<string>()
    for (const [index, value] of listAt(holder.value, "parameters").entries()) {
      const written: Located = { value, document: holder.document, path: [...holder.path, "parameters", String(index)] }
      const parameter = follow(documents, written)
      if (parameter === null) {
        parametersKnown = false
        continue
      }
      const key = parameterKey(parameter)
      if (inList.has(key)) {
        repeated.push({ name: stringAt(parameter.value, "name"), document: written.document, path: written.path })
      } else if (stringAt(parameter.value, "name") !== "") inList.add(key)
      byName.set(key, { parameter, written })
    }
  }
  const all = [...byName.values()]
  return {
    parameters: all.map(({ parameter }) => parameter),
    writtenParameters: all.map(({ written }) => written),
    parametersKnown,
    repeated
  }
}

/** A parameter is told by its place and name; names of headers by their letters only. */
const parameterKey = ({ value }: Located): string => {
  const place = stringAt(value, "in")
  const name = stringAt(value, "name")
  return `${place} ${place === "header" ? name.toLowerCase() : name}`
}

const responsesOf = (documents: Documents, operation: Located): ReadonlyArray<OperationResponse> =>
  Object.keys(objectAt(operation.value, "responses")).flatMap((status) => {
    if (status.startsWith("x-")) return []
    const located = child(documents, operation, "responses", status)
    return located === null || !isObject(located.value) ? [] : [{ status, located }]
  })

export const isSuccessStatus = (status: string): boolean => /^2(?:\d\d|XX)$/i.test(status)

/** A 4xx or the default answer. */
export const isClientError = (status: string): boolean => /^4(?:\d\d|XX)$/i.test(status) || status === "default"

/** An entry of a `content` map. */
export interface MediaType {
  /** Lower case, with parameters as written. */
  readonly name: string
  readonly located: Located
}

export const mediaTypesOf = (documents: Documents, holder: Located): ReadonlyArray<MediaType> =>
  Object.keys(objectAt(holder.value, "content")).flatMap((name) => {
    const located = child(documents, holder, "content", name)
    return located === null ? [] : [{ name: name.toLowerCase(), located }]
  })

/** JSON, or any type that a server may answer with. */
export const isJsonType = (mediaType: string): boolean =>
  /^(?:\*\/\*|application\/(?:\*|json|[\w.+-]{1,100}\+json))$/.test(mediaType.split(";", 1)[0]?.trim() ?? "")

/** The request's body: `requestBody`, or Swagger 2's `in: body`; `null` where there is none. */
export const requestBodyOf = (documents: Documents, operation: HttpOperation): Located | null =>
  child(documents, operation.located, "requestBody") ??
  operation.parameters.find((parameter) => stringAt(parameter.value, "in") === "body") ??
  null
