import type { SpecExamples } from "../ApiSpec.ts"
import { child, type Documents, type Located } from "../text/Documents.ts"
import { cutTo, entriesAt, has, isObject, type Json, listAt, member, objectAt, stringAt } from "../text/Json.ts"
import { encodingOf, type PlaceContext } from "./ExamplePlace.ts"
import { type SchemaVisitor, schemaVisitor, SHARED, visitNamed } from "./SchemaExamples.ts"
import { type ExampleComparer, exampleComparer } from "./SpecExamples.ts"
import { part } from "./ValueVerdict.ts"

interface Visit {
  readonly comparer: ExampleComparer
  readonly schemas: SchemaVisitor
  readonly visited: Set<Json>
}

/** Examples of AsyncAPI 2 and 3: of messages in channels and components, and of schemas. */
export const messageExamples = (documents: Documents): SpecExamples => {
  const comparer = exampleComparer(documents, "draft-07")
  const visit: Visit = { comparer, schemas: schemaVisitor(comparer), visited: new Set() }
  const main: Located = { value: documents.main.root, document: documents.main, path: [] }
  for (const [name] of entriesAt(main.value, "channels")) {
    const channel = child(documents, main, "channels", name)
    if (channel !== null) visitChannel(visit, channel, name)
  }
  visitMessages(visit, main, null, "components", "messages")
  visitNamed(visit.schemas, main, "components", "schemas")
  visit.schemas.rest()
  return comparer.result()
}

const visitChannel = (visit: Visit, channel: Located, name: string): void => {
  const { documents } = visit.comparer
  for (const [parameter] of entriesAt(channel.value, "parameters")) {
    const holder = child(documents, channel, "parameters", parameter)
    if (holder === null || !has(holder.value, "schema")) continue
    const context: PlaceContext = { ...SHARED, name: parameter, encoding: "text" }
    visit.schemas.visit(part(holder, member(holder.value, "schema"), "schema"), context)
  }
  for (const verb of ["publish", "subscribe"]) {
    const message = child(documents, channel, verb, "message")
    // Channels may share a message of many.
    if (message === null || visit.visited.has(message.value)) continue
    const operation = cutTo(`${verb.toUpperCase()} ${name}`, 200)
    visitMessage(visit, message, operation)
    listAt(message.value, "oneOf").forEach((_, index) =>
      visitMessage(visit, child(documents, message, "oneOf", String(index)), operation)
    )
  }
  visitMessages(visit, channel, null, "messages")
}

const visitMessages = (
  visit: Visit,
  holder: Located,
  operation: string | null,
  ...keys: ReadonlyArray<string>
): void => {
  const messages = keys.reduce<Json>((value, key) => objectAt(value, key), holder.value)
  for (const name of Object.keys(isObject(messages) ? messages : {})) {
    visitMessage(visit, child(visit.comparer.documents, holder, ...keys, name), operation)
  }
}

const visitMessage = (visit: Visit, message: Located | null, operation: string | null): void => {
  if (message === null || !isObject(message.value) || visit.visited.has(message.value)) return
  visit.visited.add(message.value)
  const contentType =
    stringAt(message.value, "contentType") || stringAt(visit.comparer.documents.main.root, "defaultContentType")
  const payload = schemaAt(message, "payload")
  // Traits may have more of the headers than the message has.
  const headers = has(message.value, "traits") ? null : schemaAt(message, "headers")
  const context: PlaceContext = { ...SHARED, operation }
  listAt(message.value, "examples").forEach((example, index) => {
    const shown = part(message, example, "examples", String(index))
    const encoding = encodingOf(contentType)
    if (payload !== null) compareMember(visit, shown, "payload", payload, { ...context, encoding })
    if (headers !== null) compareMember(visit, shown, "headers", headers, { ...context, encoding: "text" })
  })
  if (payload !== null) visit.schemas.visit(payload, context)
  if (headers !== null) visit.schemas.visit(headers, { ...context, encoding: "text" })
}

const compareMember = (visit: Visit, example: Located, key: string, schema: Located, context: PlaceContext): void => {
  const value = member(example.value, key)
  if (value === undefined) return
  // An object is shown as JSON, however it is sent.
  const encoding = context.encoding === "other" && isObject(value) ? "unstated" : context.encoding
  visit.comparer.compare({ ...context, encoding, kind: "example", ...part(example, value, key), schema })
}

/** Formats of schemas that are JSON Schema: AsyncAPI's own, and draft 7. */
const JSON_SCHEMA = /^application\/(?:vnd\.aai\.asyncapi|schema\+(?:json|yaml);version=draft-07)/

/** `null` where there is none, or one in another language. From version 3 on it may be wrapped to say so. */
const schemaAt = (message: Located, key: string): Located | null => {
  const value = member(message.value, key)
  if (value === undefined) return null
  const isWrapped = has(value, "schemaFormat") && has(value, "schema")
  const format = isWrapped ? stringAt(value, "schemaFormat") : stringAt(message.value, "schemaFormat")
  if (format !== "" && !JSON_SCHEMA.test(format)) return null
  const schema = part(message, value, key)
  return isWrapped ? part(schema, member(value, "schema"), "schema") : schema
}
