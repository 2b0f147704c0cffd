import { defaultLimits } from "../../engine/evidence/FetchLimits.ts"
import type { ApiDescription, ParsedSpec, SpecFile, Unparsed } from "../../engine/apispec/ApiSpec.ts"
import { readSpec } from "../../engine/apispec/read/ReadSpec.ts"
import type { Json, JsonObject } from "../../engine/apispec/text/Json.ts"

const SPEC_URL = "https://docs.example.com/openapi.json"

/** A document as a site would serve it: an object as JSON, a text as it is. */
export const file = (content: Json | Uint8Array, url = SPEC_URL): SpecFile => ({
  url,
  mediaType: "",
  bytes:
    content instanceof Uint8Array
      ? content
      : new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content)),
  cut: false
})

export interface Surroundings {
  readonly others?: Readonly<Record<string, Json>>
  /** Files that examples are in. */
  readonly examples?: Readonly<Record<string, Json>>
  readonly absent?: ReadonlyArray<string>
  readonly yamlBytes?: number
}

export const read = (
  content: Json | Uint8Array,
  { absent = [], examples = {}, others = {}, yamlBytes = defaultLimits.yamlBytes }: Surroundings = {}
): Promise<ParsedSpec> =>
  readSpec({
    document: file(content),
    others: Object.entries(others).map(([url, other]) => file(other, url)),
    examples: Object.entries(examples).map(([url, example]) => file(example, url)),
    absent,
    limits: { documentBytes: defaultLimits.documentBytes, yamlBytes }
  })

/** Fails the test where the document is no description. */
export const described = async (content: Json | Uint8Array, surroundings?: Surroundings): Promise<ApiDescription> => {
  const spec = await read(content, surroundings)
  if (spec._tag === "Unparsed") throw new Error(`${spec.reason}: ${spec.message}`)
  return spec
}

/** Fails the test where it is one. */
export const unparsed = async (content: Json | Uint8Array, surroundings?: Surroundings): Promise<Unparsed> => {
  const spec = await read(content, surroundings)
  if (spec._tag === "ApiDescription") throw new Error("it was read as a description")
  return spec
}

/** A description of version 3.1 with these members; an answer of 200 is enough for an operation. */
export const openapi = (members: JsonObject): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "Orders", version: "1.0" },
  paths: {},
  ...members
})

export const OK: JsonObject = { responses: { 200: { description: "Done" } } }
