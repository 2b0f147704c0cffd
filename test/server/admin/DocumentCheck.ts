import type { Json } from "../../../engine/apispec/text/Json.ts"
import { checkStructure } from "../../../engine/apispec/validity/Structure.ts"
import { isJsonObject, type JsonObject } from "../../../engine/text/JsonText.ts"

/** What the official schema of OpenAPI 3.1 says against a document. */
export const problemsOf = async (document: unknown): Promise<ReadonlyArray<unknown>> =>
  (await checkStructure(document as Json, { format: "openapi", version: "3.1.0" })).errors

/** Every operation of an OpenAPI document. */
export const operationsOf = (
  document: unknown
): ReadonlyArray<{ readonly name: string; readonly operation: JsonObject }> => {
  const paths = isJsonObject(document) && isJsonObject(document["paths"]) ? document["paths"] : {}
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isJsonObject(item) ? item : {}).flatMap(([method, operation]) =>
      isJsonObject(operation) ? [{ name: `${method.toUpperCase()} ${path}`, operation }] : []
    )
  )
}
