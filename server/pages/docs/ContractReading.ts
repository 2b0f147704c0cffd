import { isJsonObject, type JsonObject } from "../../api/ContractShape.ts"

/** An operation of the contract document, with where it stands. */
export interface Operation {
  readonly id: string
  /** Upper case. */
  readonly method: string
  /** Such as `/api/public/audit/{id}`. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<JsonObject>
  readonly requestBody: JsonObject | null
  /** By status. */
  readonly responses: JsonObject
}

/** The member of that name, where it is an object; else an empty one. */
export const objectAt = (value: JsonObject, name: string): JsonObject => {
  const member = value[name]
  return isJsonObject(member) ? member : {}
}

/** The member of that name, where it is text; else empty. */
export const textAt = (value: JsonObject, name: string): string => {
  const member = value[name]
  return typeof member === "string" ? member : ""
}

/** A value of the contract, such as a default or a bound, as text. */
export const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value) ?? "")

/** The objects of the list of that name. */
export const objectsAt = (value: JsonObject, name: string): ReadonlyArray<JsonObject> => {
  const member = value[name]
  return Array.isArray(member) ? member.filter(isJsonObject) : []
}

/** All operations of the contract, in its order. */
export const operationsOf = (contract: JsonObject): ReadonlyArray<Operation> =>
  Object.entries(objectAt(contract, "paths")).flatMap(([path, item]) =>
    Object.entries(isJsonObject(item) ? item : {}).flatMap(([method, operation]): ReadonlyArray<Operation> =>
      isJsonObject(operation)
        ? [{
          id: textAt(operation, "operationId"),
          method: method.toUpperCase(),
          path,
          summary: textAt(operation, "summary"),
          description: textAt(operation, "description"),
          parameters: objectsAt(operation, "parameters"),
          requestBody: isJsonObject(operation["requestBody"]) ? operation["requestBody"] : null,
          responses: objectAt(operation, "responses")
        }]
        : []))

/** The schemas that have names, by name. */
export const schemasOf = (contract: JsonObject): ReadonlyArray<readonly [string, JsonObject]> =>
  Object.entries(objectAt(objectAt(contract, "components"), "schemas")).flatMap(([name, schema]) =>
    isJsonObject(schema) && !COPY.test(name) ? [[name, schema]] : [])

const REFERENCE = "#/components/schemas/"

/** A schema that is used in a second form has a number behind its name; for readers both are one. */
const COPY = /_\d+$/

/** The name of the schema that is referred to; `null` where it is written out. */
export const referred = (schema: JsonObject): string | null => {
  const reference = textAt(schema, "$ref")
  return reference.startsWith(REFERENCE) ? reference.slice(REFERENCE.length).replace(COPY, "") : null
}
