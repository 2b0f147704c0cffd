import { isList, type Json, type JsonObject } from "../../../engine/apispec/text/Json.ts"
import { type CallComparison, compareCall } from "../../../engine/drift/match/CompareCall.ts"
import { type CallContext, sentenceOf } from "../../../engine/drift/match/CallFinding.ts"
import { type ContractIndex, indexContract } from "../../../engine/drift/match/ContractIndex.ts"
import type { SentFields, SentValue, ShownCall } from "../../../engine/drift/ShownCall.ts"
import { described, openapi } from "../../apispec/ReadFixture.ts"

export const HERE: CallContext = {
  page: "https://docs.fernpost.dev/guides/parcels",
  around: "Call\nThis is how it is done."
}

/** A value as a page shows it; `undefined` stands for a placeholder. */
export const sentValue = (value: Json | undefined): SentValue => {
  if (value === undefined) return { _tag: "Open" }
  if (typeof value !== "object" || value === null) return { _tag: "Known", value }
  if (isList(value)) return { _tag: "List", items: value.map(sentValue), open: false }
  return { _tag: "Object", sent: sentFields(value) }
}

export const sentFields = (fields: Readonly<Record<string, Json | undefined>>, open = false): SentFields => ({
  fields: Object.entries(fields).map(([name, value]) => ({ name, value: sentValue(value) })),
  open
})

type Shown = Partial<Omit<ShownCall, "query" | "headers" | "body">> & {
  readonly query?: Readonly<Record<string, Json | undefined>>
  readonly headers?: Readonly<Record<string, Json | undefined>>
  readonly json?: Json
  readonly form?: Readonly<Record<string, Json | undefined>>
}

/** A call with curl, with an authorization header unless others are given. */
export const shownCall = ({
  form,
  headers = { Authorization: undefined },
  json,
  query = {},
  ...call
}: Shown): ShownCall => ({
  client: "curl",
  method: "GET",
  address: "https://api.fernpost.dev/v1/parcels",
  line: 0,
  ...call,
  query: sentFields(query),
  headers: sentFields(headers),
  body:
    json !== undefined
      ? { _tag: "Json", value: sentValue(json) }
      : form !== undefined
        ? { _tag: "Form", sent: sentFields(form) }
        : { _tag: "None" }
})

export const indexOfDescription = async (content: Json): Promise<ContractIndex> => {
  const { contract, url } = await described(content)
  return indexContract(contract, url)
}

/** `agrees`, the reason why it was not compared, or what is false, as sentences. */
export const verdictOf = (call: ShownCall, index: ContractIndex, context: CallContext = HERE): ReadonlyArray<string> =>
  saidOf(compareCall(call, index, context))

const saidOf = (compared: CallComparison): ReadonlyArray<string> => {
  if (compared._tag === "Agrees") return ["agrees"]
  if (compared._tag === "NotCompared") return [`not compared: ${compared.reason}`]
  return compared.findings.map((finding) => `${finding.reason}: ${sentenceOf(finding)}`)
}

const ok = { responses: { 200: { description: "Done" } } }

/** Answers with a value of this schema. */
export const answering = (schema: Json): JsonObject => ({
  responses: { 200: { description: "Done", content: { "application/json": { schema } } } }
})
const text = { type: "string" }

/** Parcels, their labels and quotes. */
export const parcels = (members: JsonObject = {}): JsonObject =>
  openapi({
    servers: [{ url: "https://api.fernpost.dev/v1" }],
    paths: {
      "/parcels": {
        get: {
          ...ok,
          parameters: [
            { name: "cursor", in: "query", schema: text },
            { name: "limit", in: "query", schema: { type: "integer" } },
            { name: "state", in: "query", schema: { type: "string", enum: ["packed", "sent"] } },
            { name: "tags", in: "query", schema: { type: "array", items: text } },
            { name: "depot", in: "query", deprecated: true, schema: text }
          ]
        },
        post: {
          ...ok,
          parameters: [{ name: "Request-Id", in: "header", required: true, schema: text }],
          requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/NewParcel" } } } }
        }
      },
      "/parcels/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        get: ok,
        delete: { ...ok, deprecated: true }
      },
      "/parcels/{id}/labels/{format}.pdf": { get: ok },
      "/parcels/{id}:cancel": { post: ok },
      "/quotes": {
        get: { ...ok, parameters: [{ name: "weight", in: "query", required: true, schema: { type: "number" } }] }
      },
      "/files/{path}": { get: ok }
    },
    components: {
      schemas: {
        NewParcel: {
          type: "object",
          required: ["weight", "service", "id"],
          properties: {
            id: { type: "string", readOnly: true },
            weight: { type: "integer" },
            service: { type: "string", enum: ["slow", "fast"] },
            note: text,
            to: { type: "object", required: ["city"], properties: { city: text, street: text } },
            marks: { type: "object", additionalProperties: text },
            items: { type: "array", items: { type: "object", properties: { sku: text, count: { type: "integer" } } } },
            colour: { type: "string", deprecated: true }
          }
        }
      }
    },
    ...members
  })
