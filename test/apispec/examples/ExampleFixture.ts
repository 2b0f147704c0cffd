import type { ApiDescription, SpecExamples } from "../../../engine/apispec/ApiSpec.ts"
import type { Json, JsonObject } from "../../../engine/apispec/text/Json.ts"
import { described, openapi, type Surroundings } from "../ReadFixture.ts"

export const examplesOf = async (content: Json | Uint8Array, surroundings?: Surroundings): Promise<SpecExamples> =>
  (await described(content, surroundings)).examples

/** Each falsehood as a sentence has it, with the place. */
export const told = ({ found }: Pick<ApiDescription["examples"], "found">): ReadonlyArray<string> =>
  found.map((one) => `${one.at} ${one.found}; ${one.wants}`)

/** `POST /orders` of OpenAPI 3.1 with this media type as its body. */
export const posting = (media: JsonObject, members: JsonObject = {}, mediaType = "application/json"): JsonObject =>
  openapi({
    paths: {
      "/orders": {
        post: { requestBody: { content: { [mediaType]: media } }, responses: { 200: { description: "Done" } } }
      }
    },
    ...members
  })

/** The same with this media type as its answer. */
export const answering = (media: JsonObject, members: JsonObject = {}): JsonObject =>
  openapi({
    paths: {
      "/orders": { get: { responses: { 200: { description: "Done", content: { "application/json": media } } } } }
    },
    ...members
  })

export const version = (openapiVersion: string, document: JsonObject): JsonObject => ({
  ...document,
  openapi: openapiVersion
})

/** What is said of a value of the body against this schema: found and wanted, without the place; `null` where nothing is. */
export const saidOf = async (value: Json, schema: Json, openapiVersion = "3.1.0"): Promise<string | null> => {
  const { found } = await examplesOf(version(openapiVersion, posting({ schema, example: value })))
  const [first] = found
  return first === undefined ? null : `${first.found}; ${first.wants}`
}
