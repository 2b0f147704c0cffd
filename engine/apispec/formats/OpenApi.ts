import type { ApiDescription, SpecExamples } from "../ApiSpec.ts"
import { contractOf } from "../contract/ContractOf.ts"
import {
  encodingOf,
  type ExampleComparer,
  exampleComparer,
  NO_EXAMPLES,
  type PlaceContext,
  type SchemaVisitor,
  schemaVisitor,
  SHARED,
  visitNamed
} from "../examples/SpecExamples.ts"
import { type Dialect, type Direction, part } from "../examples/ValueVerdict.ts"
import { elementsOf } from "../quality/Elements.ts"
import { qualityOf } from "../quality/Quality.ts"
import { sampleApiOf, securityOf, serversOf } from "../quality/Access.ts"
import {
  type HttpOperation,
  httpOperationsOf,
  mediaTypesOf,
  METHODS,
  requestBodyOf
} from "../quality/SpecOperations.ts"
import { child, type Documents, type Located } from "../text/Documents.ts"
import type { FormatMark } from "../text/Format.ts"
import { cutTo, entriesAt, has, isList, isObject, type Json, member, objectAt, stringAt } from "../text/Json.ts"
import { checkStructure } from "../validity/Structure.ts"
import { validityOf } from "../validity/Validity.ts"
import { headingOf, indexOf, type Recognised, summaryOf } from "./Description.ts"

/** A description of HTTP operations: OpenAPI 3.x or Swagger 2. */
export const describeHttp = async (recognised: Recognised): Promise<ApiDescription> => {
  const { documents, mark } = recognised
  const heading = headingOf(recognised)
  const operations = httpOperationsOf(documents)
  const structure = await checkStructure(documents.main.root, mark)
  return {
    ...heading,
    ...indexOf(operations.map(entryOf)),
    servers: serversOf(documents),
    security: securityOf(documents, operations),
    elements: elementsOf(documents, operations),
    validity: validityOf(documents, operations, structure),
    quality: qualityOf(documents, operations),
    examples: httpExamples(documents, mark, operations),
    contract: contractOf(documents, operations),
    sampleApi: sampleApiOf(heading, operations)
  }
}

const entryOf = (operation: HttpOperation): ApiDescription["operations"][number] => ({
  method: operation.method,
  path: cutTo(operation.path, 500),
  id: cutTo(stringAt(operation.located.value, "operationId"), 200),
  summary: summaryOf(operation.located.value)
})

/** What the visits of one description share. */
interface Visit {
  readonly comparer: ExampleComparer
  readonly schemas: SchemaVisitor
  /** Parameters, bodies, responses and headers: operations may share them. */
  readonly visited: Set<Json>
}

/** Examples of OpenAPI 2 and 3: of operations, then of webhooks and components. */
const httpExamples = (
  documents: Documents,
  mark: FormatMark,
  operations: ReadonlyArray<HttpOperation>
): SpecExamples => {
  const { root } = documents.main
  const dialect = dialectOf(root, mark)
  if (dialect === null) return NO_EXAMPLES
  const comparer = exampleComparer(documents, dialect)
  const visit: Visit = { comparer, schemas: schemaVisitor(comparer), visited: new Set() }
  const main: Located = { value: root, document: documents.main, path: [] }
  for (const operation of operations) visitOperation(visit, operation)
  for (const [name] of entriesAt(root, "webhooks")) visitItem(visit, child(documents, main, "webhooks", name))
  visitComponents(visit, main)
  visit.schemas.rest()
  return comparer.result()
}

/** `null` where a description says that its schemas are of a dialect that is not known. */
const dialectOf = (root: Json, { format, version }: FormatMark): Dialect | null => {
  if (format === "swagger") return "swagger"
  if (/^3(?:\.0)?(?:\.|$)/.test(version) && !/^3\.[1-9]/.test(version)) return "openapi-3.0"
  const named = stringAt(root, "jsonSchemaDialect")
  return named === "" || /spec\.openapis\.org\/oas\/3\.|\/draft\/2020-12\//.test(named) ? "2020-12" : null
}

const visitOperation = (visit: Visit, operation: HttpOperation): void => {
  const { documents } = visit.comparer
  const name = cutTo(`${operation.method} ${operation.path}`, 200)
  const sent: PlaceContext = { ...SHARED, operation: name, direction: "request" }
  for (const parameter of operation.parameters) visitParameter(visit, parameter, sent)
  visitBody(visit, requestBodyOf(documents, operation), sent)
  for (const { located } of operation.responses) visitResponse(visit, located, { ...sent, direction: "answer" })
  for (const [callback] of entriesAt(operation.located.value, "callbacks")) {
    const item = child(documents, operation.located, "callbacks", callback)
    for (const key of Object.keys(isObject(item?.value) ? item.value : {})) {
      if (item !== null) visitItem(visit, child(documents, item, key), name)
    }
  }
}

/** Requests that the API sends: which direction an author means by that is not known. */
const visitItem = (visit: Visit, item: Located | null, operation: string | null = null): void => {
  const { documents } = visit.comparer
  if (item === null || !isNew(visit, item.value)) return
  for (const method of Object.keys(isObject(item.value) ? item.value : {}).filter((key) => METHODS.has(key))) {
    const located = child(documents, item, method)
    if (located === null) continue
    const context: PlaceContext = { ...SHARED, operation }
    visitBody(visit, child(documents, located, "requestBody"), context)
    for (const status of Object.keys(objectAt(located.value, "responses"))) {
      visitResponse(visit, child(documents, located, "responses", status), context)
    }
  }
}

const isNew = ({ visited }: Visit, value: Json): boolean => {
  if (!isObject(value) || visited.has(value)) return false
  visited.add(value)
  return true
}

const visitComponents = (visit: Visit, main: Located): void => {
  const { documents } = visit.comparer
  const each = (read: (located: Located) => void, ...keys: ReadonlyArray<string>): void => {
    const holder = keys.reduce<Json>((value, key) => objectAt(value, key), main.value)
    for (const name of Object.keys(isObject(holder) ? holder : {})) {
      const located = child(documents, main, ...keys, name)
      if (located !== null) read(located)
    }
  }
  const context = (direction: Direction): PlaceContext => ({ ...SHARED, direction })
  for (const keys of [["components", "parameters"], ["parameters"]]) {
    each((located) => visitParameter(visit, located, context("request")), ...keys)
  }
  each((located) => visitBody(visit, located, context("request")), "components", "requestBodies")
  for (const keys of [["components", "responses"], ["responses"]]) {
    each((located) => visitResponse(visit, located, context("answer")), ...keys)
  }
  each((located) => visitParameter(visit, located, context("answer")), "components", "headers")
  each((located) => visitMedia(visit, located, SHARED), "components", "mediaTypes")
  visitNamed(visit.schemas, main, "components", "schemas")
  visitNamed(visit.schemas, main, "definitions")
}

/** A parameter or a header: its schema is a member of it, or (OpenAPI 2) itself. */
const visitParameter = (visit: Visit, parameter: Located, context: PlaceContext): void => {
  if (!isNew(visit, parameter.value)) return
  const named: PlaceContext = { ...context, name: stringAt(parameter.value, "name") || context.name, encoding: "text" }
  if (visit.comparer.dialect === "swagger") {
    const body = stringAt(parameter.value, "in") === "body"
    if (body) visitSchema(visit, parameter, context)
    else visit.schemas.visit(parameter, named)
    return
  }
  visitShown(visit, parameter, named)
  visitContent(visit, parameter, { ...context, name: named.name })
}

const visitSchema = (visit: Visit, holder: Located, context: PlaceContext): void => {
  for (const key of ["schema", "itemSchema"]) {
    if (has(holder.value, key)) visit.schemas.visit(part(holder, member(holder.value, key), key), context)
  }
}

const visitBody = (visit: Visit, body: Located | null, context: PlaceContext): void => {
  if (body === null) return
  if (visit.comparer.dialect === "swagger") visitParameter(visit, body, context)
  else if (isNew(visit, body.value)) visitContent(visit, body, context)
}

const visitResponse = (visit: Visit, response: Located | null, context: PlaceContext): void => {
  const { documents } = visit.comparer
  if (response === null || !isNew(visit, response.value)) return
  for (const name of Object.keys(objectAt(response.value, "headers"))) {
    const header = child(documents, response, "headers", name)
    if (header !== null) visitParameter(visit, header, { ...context, name })
  }
  visitContent(visit, response, context)
  if (visit.comparer.dialect === "swagger") visitSwaggerResponse(visit, response, context)
}

/** OpenAPI 2: one schema, and an example for each media type. */
const visitSwaggerResponse = (visit: Visit, response: Located, context: PlaceContext): void => {
  const written = member(response.value, "schema")
  if (written === undefined) return
  const schema = part(response, written, "schema")
  for (const [mediaType, value] of entriesAt(response.value, "examples")) {
    const path = [...response.path, "examples", mediaType]
    const { document } = response
    visit.comparer.compare({
      ...context,
      encoding: encodingOf(mediaType),
      kind: "example",
      value,
      document,
      path,
      schema
    })
  }
  visit.schemas.visit(schema, context)
}

/** Examples of a stream are lists of its items, where they are data and not the text of the stream. */
const visitStream = (visit: Visit, holder: Located, schema: Located, context: PlaceContext): void => {
  const compare = (shown: Located): void => {
    if (!isList(shown.value)) return visit.comparer.leaveOut()
    for (const [index, value] of shown.value.entries())
      visit.comparer.compare({
        ...context,
        encoding: "json",
        kind: "example",
        ...part(shown, value, String(index)),
        schema
      })
  }
  const own = member(holder.value, "example")
  if (own !== undefined) compare(part(holder, own, "example"))
  for (const [name] of entriesAt(holder.value, "examples")) {
    const example = child(visit.comparer.documents, holder, "examples", name)
    const key = ["dataValue", "value"].find((one) => has(example?.value, one))
    if (example !== null && key !== undefined) compare(part(example, member(example.value, key), key))
    else if (example !== null) visit.comparer.leaveOut()
  }
}

const visitContent = (visit: Visit, holder: Located, context: PlaceContext): void => {
  for (const { located, name } of mediaTypesOf(visit.comparer.documents, holder)) {
    if (isNew(visit, located.value)) visitShown(visit, located, { ...context, encoding: encodingOf(name) })
  }
}

/** A media type of the components, whose name is not that of a media type. */
const visitMedia = (visit: Visit, media: Located, context: PlaceContext): void => {
  if (isNew(visit, media.value)) visitShown(visit, media, { ...context, encoding: "unstated" })
}

/** `example` and `examples` beside a schema, then the schema. */
const visitShown = (visit: Visit, holder: Located, context: PlaceContext): void => {
  const written = member(holder.value, "schema")
  const item = member(holder.value, "itemSchema")
  if (written !== undefined) {
    const schema = part(holder, written, "schema")
    const compare = (shown: Located, encoding = context.encoding): void =>
      visit.comparer.compare({ ...context, encoding, kind: "example", ...shown, schema })
    const own = member(holder.value, "example")
    if (own !== undefined) compare(part(holder, own, "example"))
    for (const [name] of entriesAt(holder.value, "examples")) {
      const example = child(visit.comparer.documents, holder, "examples", name)
      const texts = context.encoding === "json" ? ["value", "serializedValue"] : ["value"]
      const value = texts.find((key) => has(example?.value, key))
      // What `dataValue` has is data, however it travels.
      if (example !== null && has(example.value, "dataValue"))
        compare(part(example, member(example.value, "dataValue"), "dataValue"), "json")
      else if (example !== null && value !== undefined) compare(part(example, member(example.value, value), value))
      else if (example !== null && stringAt(example.value, "externalValue") !== "")
        visit.comparer.compareExternal(example, { ...context, kind: "example", schema })
      else if (["externalValue", "serializedValue"].some((key) => has(example?.value, key))) visit.comparer.leaveOut()
    }
  }
  if (item !== undefined && written === undefined) visitStream(visit, holder, part(holder, item, "itemSchema"), context)
  visitSchema(visit, holder, {
    ...context,
    encoding: context.encoding === "text" || context.encoding === "form" ? "text" : "unstated"
  })
}
