import { isJsonObject, type JsonObject } from "../../../engine/text/JsonObject.ts"

/** An operation of the contract document, with its method and path. */
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

/** The member of that name if it is an object, otherwise an empty object. */
export const contractObjectAt = (value: JsonObject, name: string): JsonObject => {
  const member = value[name]
  return isJsonObject(member) ? member : {}
}

/** The member of that name if it is a string, otherwise an empty string. */
export const textAt = (value: JsonObject, name: string): string => {
  const member = value[name]
  return typeof member === "string" ? member : ""
}

/** A value of the contract, such as a default or a limit, as text. */
export const valueText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

/** The objects of the list of that name. */
export const objectsAt = (value: JsonObject, name: string): ReadonlyArray<JsonObject> => {
  const member = value[name]
  return Array.isArray(member) ? member.filter(isJsonObject) : []
}

/** All operations of the contract, in its order. */
export const operationsOf = (contract: JsonObject): ReadonlyArray<Operation> =>
  Object.entries(contractObjectAt(contract, "paths")).flatMap(([path, item]) =>
    Object.entries(isJsonObject(item) ? item : {}).flatMap(([method, operation]): ReadonlyArray<Operation> =>
      isJsonObject(operation)
        ? [
            {
              id: textAt(operation, "operationId"),
              method: method.toUpperCase(),
              path,
              summary: textAt(operation, "summary"),
              description: textAt(operation, "description"),
              parameters: objectsAt(operation, "parameters"),
              requestBody: isJsonObject(operation["requestBody"]) ? operation["requestBody"] : null,
              responses: contractObjectAt(operation, "responses")
            }
          ]
        : []
    )
  )

/** The named schemas, by name. */
export const schemasOf = (contract: JsonObject): ReadonlyArray<readonly [string, JsonObject]> =>
  Object.entries(contractObjectAt(contractObjectAt(contract, "components"), "schemas")).flatMap(([name, schema]) =>
    isJsonObject(schema) && !COPY.test(name) ? [[name, schema]] : []
  )

const REFERENCE = "#/components/schemas/"

/** The generator appends a number to the name of a schema's second form; to readers both are the same. */
const COPY = /_\d+$/

/** The name of the referenced schema; `null` if it is inline. */
export const referred = (schema: JsonObject): string | null => {
  const reference = textAt(schema, "$ref")
  return reference.startsWith(REFERENCE) ? reference.slice(REFERENCE.length).replace(COPY, "") : null
}
