import type { SpecElement, SpecElements, SpecRemark } from "../ApiSpec.ts"
import { child, type Documents, follow, type Located } from "../text/Documents.ts"
import { cutTo, entriesAt, has, type Json, listAt, member, objectAt, stringAt } from "../text/Json.ts"
import { type HttpOperation, mediaTypesOf } from "./SpecOperations.ts"

const ELEMENTS_KEPT = 500
const DESCRIPTION_CHARACTERS = 300

/** One sighting of an element in an operation. */
interface Sighting {
  readonly name: string
  readonly description: string
}

/** What a description of HTTP operations names: parameters, headers of answers, answers, webhooks, tags. */
export const elementsOf = (documents: Documents, operations: ReadonlyArray<HttpOperation>): SpecElements => ({
  parameters: collect(operations, ({ parameters }) =>
    parameters.map((parameter) => sighting(stringAt(parameter.value, "name"), parameter))
  ),
  responseHeaders: collect(operations, ({ responses }) =>
    responses.flatMap(({ located }) => headersOf(documents, located))
  ),
  responses: collect(operations, ({ responses }) => responses.map(({ status, located }) => sighting(status, located))),
  webhooks: named(
    [...entriesAt(documents.main.root, "webhooks"), ...entriesAt(documents.main.root, "x-webhooks")].map(
      ([name, item]) => ({
        name,
        description: webhookText(item)
      })
    )
  ),
  tags: named(
    listAt(documents.main.root, "tags").map((tag) => ({ name: stringAt(tag, "name"), description: textOf(tag) }))
  ),
  callbacks: operations.reduce((sum, { located }) => sum + Object.keys(objectAt(located.value, "callbacks")).length, 0),
  defaults: new Set(operations.flatMap((operation) => withDefault(documents, operation))).size,
  remarks: remarksOf(operations)
})

export const noElements: SpecElements = {
  parameters: [],
  responseHeaders: [],
  responses: [],
  webhooks: [],
  tags: [],
  callbacks: 0,
  defaults: 0,
  remarks: []
}

/** Names of the parameters that have a default. */
const withDefault = (documents: Documents, { parameters }: HttpOperation): ReadonlyArray<string> =>
  parameters.flatMap((parameter) => {
    const schema = follow(documents, parameterSchema(documents, parameter))
    return schema !== null && has(schema.value, "default") ? [stringAt(parameter.value, "name")] : []
  })

const sighting = (name: string, located: Located): Sighting => ({ name, description: textOf(located.value) })

const textOf = (value: Json): string =>
  cutTo(stringAt(value, "description") || stringAt(value, "summary"), DESCRIPTION_CHARACTERS)

const headersOf = (documents: Documents, response: Located): ReadonlyArray<Sighting> =>
  Object.keys(objectAt(response.value, "headers")).map((name) => ({
    name: name.toLowerCase(),
    description: textOf(child(documents, response, "headers", name)?.value ?? null)
  }))

/** Of the webhook, else of the first of its operations that has one. */
const webhookText = (item: Json): string =>
  textOf(item) || (["post", "put", "get"].map((key) => textOf(objectAt(item, key))).find((text) => text !== "") ?? "")

/** Each name once, with the operations that have it, sorted by name. */
const collect = (
  operations: ReadonlyArray<HttpOperation>,
  sightings: (operation: HttpOperation) => ReadonlyArray<Sighting>
): ReadonlyArray<SpecElement> => {
  const found = new Map<string, { description: string; operations: number; last: HttpOperation | null }>()
  for (const operation of operations) {
    for (const { name, description } of sightings(operation)) {
      const entry = found.get(name) ?? { description: "", operations: 0, last: null }
      entry.description ||= description
      if (entry.last !== operation) entry.operations++
      entry.last = operation
      found.set(name, entry)
    }
  }
  return sorted(
    [...found].map(([name, { description, operations: count }]) => ({ name, description, operations: count }))
  )
}

const named = (sightings: ReadonlyArray<Sighting>): ReadonlyArray<SpecElement> =>
  sorted([...new Map(sightings.map((one) => [one.name, { ...one, operations: 0 }])).values()])

const sorted = (elements: ReadonlyArray<SpecElement>): ReadonlyArray<SpecElement> =>
  elements
    .filter(({ name }) => name !== "")
    .map((element) => ({ ...element, name: cutTo(element.name, 200) }))
    .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
    .slice(0, ELEMENTS_KEPT)

/** `schema`, the schema of its first media type, or (Swagger 2) the parameter itself. */
export const parameterSchema = (documents: Documents, parameter: Located): Located => {
  const holder = has(parameter.value, "content")
    ? (mediaTypesOf(documents, parameter)[0]?.located ?? parameter)
    : parameter
  const schema = objectAt(holder.value, "schema")
  return has(holder.value, "schema")
    ? { value: schema, document: holder.document, path: [...holder.path, "schema"] }
    : holder
}

const NAME_CHARACTERS = 200
const TEXT_CHARACTERS = 3_000
/** GitHub's operations say 400,000 characters, Stripe's 200,000. */
const ALL_CHARACTERS = 300_000

/** What operations say of themselves, as far as it fits. */
const remarksOf = (operations: ReadonlyArray<HttpOperation>): ReadonlyArray<SpecRemark> => {
  const remarks: Array<SpecRemark> = []
  let left = ALL_CHARACTERS
  for (const { located, method, path } of operations) {
    const text = cutTo(remarkText(located.value), TEXT_CHARACTERS)
    if (text === "") continue
    left -= text.length
    if (left < 0) break
    remarks.push({
      operation: cutTo(`${method} ${path}`, NAME_CHARACTERS),
      text,
      deprecated: member(located.value, "deprecated") === true
    })
  }
  return remarks
}

const remarkText = (operation: HttpOperation["located"]["value"]): string =>
  ["summary", "description"]
    .map((key) => stringAt(operation, key))
    .filter((text) => text !== "")
    .join("\n")
