import {
  type ContractBody,
  type ContractCredentials,
  type ContractField,
  type ContractOperation,
  type ContractParameter,
  type ContractSample,
  type ContractServer,
  marksOf,
  type SpecContract
} from "../Contract.ts"
import { type HttpOperation, isJsonType, mediaTypesOf, requestBodyOf } from "../quality/SpecOperations.ts"
import { child, type Documents, type Located, onceEach } from "../text/Documents.ts"
import { cutTo, entriesAt, has, isObject, type Json, listAt, member, objectAt, stringAt } from "../text/Json.ts"
import { type AnswerTable, answerTable, type ShapeTable, shapeTable } from "./Answers.ts"

const OPERATIONS_KEPT = 5_000
const PATH_CHARACTERS = 500

/** Parameters and media types of one operation that are kept; one with more is open. */
const PARAMETERS_KEPT = 200
const MEDIA_TYPES_KEPT = 10

const PLACES = ["query", "path", "header", "cookie"] as const

/** What the tables of one description are filled through. */
interface Extraction {
  readonly documents: Documents
  readonly servers: ServerTable
  readonly shapes: ShapeTable
  readonly answers: AnswerTable
  readonly addParameter: (parameter: ContractParameter) => number
  /** Of a request body, read once: operations may share it. */
  readonly sharedBodies: (body: Located) => ReadonlyArray<ContractBody>
}

/** The contract of a description of HTTP operations. */
export const contractOf = (documents: Documents, operations: ReadonlyArray<HttpOperation>): SpecContract => {
  const { root } = documents.main
  const parameters: Array<ContractParameter> = []
  const byText = new Map<string, number>()
  const shapes = shapeTable(documents)
  const tables: Omit<Extraction, "sharedBodies"> = {
    documents,
    servers: serverTable(),
    shapes,
    answers: answerTable(documents, shapes, operations.length),
    addParameter: (parameter) => {
      const text = JSON.stringify(parameter)
      const index = byText.get(text) ?? parameters.push(parameter) - 1
      byText.set(text, index)
      return index
    }
  }
  const extraction: Extraction = { ...tables, sharedBodies: onceEach((body) => bodiesIn(tables, body)) }
  const commonServers = extraction.servers.serversAt(root) ?? []
  const kept = operations.slice(0, OPERATIONS_KEPT).map((operation) => operationOf(extraction, operation))
  return {
    servers: extraction.servers.servers,
    commonServers,
    operations: kept,
    parameters,
    shapes: shapes.shapes,
    answers: extraction.answers.answers,
    answerFields: extraction.answers.fields,
    credentials: credentialsOf(root),
    samples: codeSamplesOf(operations.slice(0, OPERATIONS_KEPT)),
    complete: kept.length === operations.length && isWhole(documents)
  }
}

/** Every path was read: none is left out for its reference or its missing slash. */
const isWhole = (documents: Documents): boolean => {
  const root: Located = { value: documents.main.root, document: documents.main, path: [] }
  return entriesAt(root.value, "paths").every(
    ([path]) => path.startsWith("x-") || (path.startsWith("/") && child(documents, root, "paths", path) !== null)
  )
}

const operationOf = (extraction: Extraction, operation: HttpOperation): ContractOperation => {
  const { answers, documents, servers } = extraction
  const item = child(
    documents,
    { value: documents.main.root, document: documents.main, path: [] },
    "paths",
    operation.path
  )
  const declared = operation.parameters.slice(0, PARAMETERS_KEPT)
  const answer = answers.answerOf(operation)
  return {
    method: operation.method,
    path: cutTo(operation.path, PATH_CHARACTERS),
    marks: marksOf({
      deprecated: member(operation.located.value, "deprecated") === true,
      open_query:
        !operation.parametersKnown ||
        declared.length < operation.parameters.length ||
        declared.some((parameter) => isSpread(extraction, parameter))
    }),
    parameters: declared.flatMap((parameter) => parameterOf(extraction, parameter)),
    bodies: bodiesOf(extraction, operation),
    servers: servers.serversAt(operation.located.value) ?? (item === null ? null : servers.serversAt(item.value)),
    ...(answer === null ? {} : { answer })
  }
}

/** In Swagger 2 a parameter is its own schema. */
const schemaOf = ({ document, path, value }: Located): Located | null => {
  const schema = member(value, "schema")
  if (schema !== undefined) return { value: schema, document, path: [...path, "schema"] }
  return has(value, "content") || !has(value, "type") ? null : { value, document, path }
}

const parameterOf = (extraction: Extraction, parameter: Located): ReadonlyArray<number> => {
  const name = stringAt(parameter.value, "name")
  const place = PLACES.find((one) => one === stringAt(parameter.value, "in"))
  if (name === "" || place === undefined) return []
  const field = fieldOf(extraction, parameter, name)
  // What is sent are the names of its members.
  const marks = isSpread(extraction, parameter) ? field.marks.filter((mark) => mark !== "required") : field.marks
  return [extraction.addParameter({ ...field, marks, in: place })]
}

const fieldOf = ({ shapes }: Extraction, parameter: Located, name: string): ContractField => {
  const schema = schemaOf(parameter)
  const draft = schema === null ? null : shapes.draftOf(schema)
  return {
    name: cutTo(name, PATH_CHARACTERS),
    marks: marksOf({
      required: member(parameter.value, "required") === true,
      excused: draft?.excused === true,
      deprecated: member(parameter.value, "deprecated") === true || draft?.deprecated === true
    }),
    shape: schema === null ? 0 : shapes.shapeOf(schema)
  }
}

/** The members of an object are names in the query, unless it is sent in one of the other styles. */
const isSpread = ({ shapes }: Extraction, parameter: Located): boolean => {
  const { value } = parameter
  const place = stringAt(value, "in")
  if (place === "querystring") return true
  const style = stringAt(value, "style")
  const schema = schemaOf(parameter)
  if (place !== "query" || schema === null || (style !== "" && style !== "form") || member(value, "explode") === false)
    return false
  const draft = shapes.draftOf(schema)
  return draft.types === null ? draft.names !== "unsaid" : draft.types.has("object")
}

const isForm = (mediaType: string): boolean =>
  mediaType === "application/x-www-form-urlencoded" || mediaType === "multipart/form-data"

const bodiesOf = (extraction: Extraction, operation: HttpOperation): ReadonlyArray<ContractBody> => {
  const form = operation.parameters.filter(({ value }) => stringAt(value, "in") === "formData")
  if (form.length > 0) return [{ kind: "form", shape: formShape(extraction, form) }]
  const body = requestBodyOf(extraction.documents, operation)
  return body === null ? [] : extraction.sharedBodies(body)
}

const bodiesIn = (extraction: Omit<Extraction, "sharedBodies">, body: Located): ReadonlyArray<ContractBody> => {
  if (stringAt(body.value, "in") === "body") {
    const schema = schemaOf(body)
    return schema === null ? [] : [{ kind: "json", shape: extraction.shapes.shapeOf(schema) }]
  }
  const bodies = mediaTypesOf(extraction.documents, body)
    .slice(0, MEDIA_TYPES_KEPT)
    .map(({ located, name }): ContractBody => {
      const mediaType = name.split(";", 1)[0]?.trim() ?? ""
      const kind = isJsonType(mediaType) ? "json" : isForm(mediaType) ? "form" : "other"
      const schema = kind === "other" ? null : schemaOf(located)
      return { kind, shape: schema === null ? 0 : extraction.shapes.shapeOf(schema) }
    })
  return bodies.filter(
    ({ kind, shape }, index) => bodies.findIndex((one) => one.kind === kind && one.shape === shape) === index
  )
}

/** Swagger 2 declares the fields of a form one by one. */
const formShape = (extraction: Extraction, form: ReadonlyArray<Located>): number =>
  extraction.shapes.add({
    types: ["object"],
    values: null,
    fields: form.slice(0, PARAMETERS_KEPT).map((field) => fieldOf(extraction, field, stringAt(field.value, "name"))),
    closed: form.length <= PARAMETERS_KEPT,
    items: 0
  })

const CREDENTIALS_KEPT = 20

const schemesOf = (root: Json): ReadonlyArray<Json> =>
  [...entriesAt(root, "securityDefinitions"), ...entriesAt(member(root, "components"), "securitySchemes")].map(
    ([, scheme]) => scheme
  )

const credentialsOf = (root: Json): ContractCredentials => {
  const schemes = schemesOf(root)
  const namesIn = (place: string): ReadonlyArray<string> =>
    schemes
      .filter((scheme) => stringAt(scheme, "in") === place)
      .map((scheme) => cutTo(stringAt(scheme, "name"), 200))
      .slice(0, CREDENTIALS_KEPT)
  const urls = schemes
    .flatMap((scheme) => [scheme, ...entriesAt(scheme, "flows").map(([, flow]) => flow)])
    .flatMap(urlsOf)
  return {
    query: namesIn("query"),
    headers: namesIn("header").map((name) => name.toLowerCase()),
    urls: [...new Set(urls)].slice(0, CREDENTIALS_KEPT)
  }
}

const urlsOf = (flow: Json): ReadonlyArray<string> =>
  !isObject(flow)
    ? []
    : ["tokenUrl", "authorizationUrl", "refreshUrl", "deviceAuthorizationUrl", "openIdConnectUrl"].flatMap((key) => {
        const url = stringAt(flow, key)
        return url === "" ? [] : [cutTo(url, PATH_CHARACTERS)]
      })

const SERVERS_KEPT = 50
const VALUES_KEPT = 50
const URL_CHARACTERS = 500

interface ServerTable {
  /** Indices of the servers that a document, path or operation declares; `null` where it declares none. */
  readonly serversAt: (holder: Json) => ReadonlyArray<number> | null
  readonly servers: ReadonlyArray<ContractServer>
}

/** The servers of one description: equal ones are kept once. */
const serverTable = (): ServerTable => {
  const servers: Array<ContractServer> = []
  const byText = new Map<string, number>()
  const add = (server: ContractServer): ReadonlyArray<number> => {
    const text = JSON.stringify(server)
    const before = byText.get(text)
    if (before !== undefined) return [before]
    if (servers.length >= SERVERS_KEPT) return []
    byText.set(text, servers.length)
    servers.push(server)
    return [servers.length - 1]
  }
  const declaredBy = (holder: Json): ReadonlyArray<ContractServer> =>
    has(holder, "swagger") ? swaggerServer(holder) : listAt(holder, "servers").slice(0, SERVERS_KEPT).flatMap(serverOf)
  return {
    serversAt: (holder) => {
      const own = declaredBy(holder).flatMap(add)
      return own.length === 0 ? null : own
    },
    servers
  }
}

const serverOf = (server: Json): ReadonlyArray<ContractServer> => {
  const url = stringAt(server, "url")
  if (url === "") return []
  const variables = entriesAt(server, "variables")
    .slice(0, VALUES_KEPT)
    .map(([name, variable]) => ({
      name,
      values: listAt(variable, "enum")
        .filter((value) => typeof value === "string" || typeof value === "number")
        .map(String)
        .slice(0, VALUES_KEPT)
    }))
  return [{ url: cutTo(url, URL_CHARACTERS), variables }]
}

/** Swagger 2 has one server; without a host it is the one that has the description. */
const swaggerServer = (root: Json): ReadonlyArray<ContractServer> => {
  const host = stringAt(root, "host")
  const basePath = stringAt(root, "basePath")
  if (host === "" && basePath === "") return []
  const url = host === "" ? basePath : `https://${host}${basePath}`
  return [{ url: cutTo(url, URL_CHARACTERS), variables: [] }]
}

/** Samples of one description that are read, and characters of one; longer ones are programs, not calls. */
const SAMPLES_KEPT = 500
const CHARACTERS = 4_000

const LISTS = ["x-codeSamples", "x-code-samples", "x-codesamples"]

/** The calls in code that operations show: `x-codeSamples` and the like of Redocly, ReadMe and Mintlify. */
const codeSamplesOf = (operations: ReadonlyArray<HttpOperation>): ReadonlyArray<ContractSample> => {
  const samples: Array<ContractSample> = []
  for (const [index, { located }] of operations.entries()) {
    for (const sample of listsOf(located.value)) {
      if (samples.length >= SAMPLES_KEPT) return samples
      const text = stringAt(sample, "source") || stringAt(sample, "code")
      const language = stringAt(sample, "lang") || stringAt(sample, "language") || stringAt(sample, "label")
      if (text !== "" && text.length <= CHARACTERS)
        samples.push({ operation: index, language: language.slice(0, LANGUAGE), text })
    }
  }
  return samples
}

const LANGUAGE = 40

const listsOf = (operation: Json): ReadonlyArray<Json> =>
  [
    ...LISTS.flatMap((name) => listAt(operation, name)),
    ...listAt(objectAt(operation, "x-readme"), "code-samples")
  ].filter(isObject)
