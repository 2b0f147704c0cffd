import type { Documents, Located } from "../text/Documents.ts"
import { has, objectAt } from "../text/Json.ts"
import { mediaTypesOf } from "./SpecOperations.ts"

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
