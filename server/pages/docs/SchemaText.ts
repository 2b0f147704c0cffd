import { isJsonObject, type JsonObject } from "../../../engine/text/JsonText.ts"

/*
 * The contract's schemas as Markdown. Tables have one row per field; a field of an inline object is written `outer.inner`, one
 * of a list's items `list[].field`.
 */

/** The relative URL of a named schema's section, from a page `depth` folders below `/v1`. */
const objectLink = (name: string, depth: number): string =>
  `[${name}](${"../".repeat(depth)}objects.md#${name.toLowerCase()})`

/** The type of a value in a few words: `string (uuid)`, `list of SiteSummary`, `"best" or "worst"`. */
export const typeText = (schema: JsonObject, depth: number): string => {
  const name = referred(schema)
  if (name !== null) return objectLink(name, depth)
  const choices = choicesOf(schema)
  if (choices.length > 0) return choices.map((choice) => typeText(choice, depth)).join(" or ")
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => `\`${valueText(value)}\``).join(", ")
  if ("const" in schema) return `\`${valueText(schema["const"])}\``
  const types = Array.isArray(schema["type"]) ? schema["type"].map(String) : [textAt(schema, "type")]
  return (
    types
      .map((type) => plainType(schema, type, depth))
      .filter((type) => type !== "")
      .join(" or ") || "anything"
  )
}

const plainType = (schema: JsonObject, type: string, depth: number): string => {
  if (type === "array") return `list of ${typeText(contractObjectAt(schema, "items"), depth)}`
  const format = textAt(schema, "format")
  if (type === "string" && format !== "") return `string (${format})`
  return type === "number" || type === "integer" ? `${type}${rangeOf(schema)}` : type
}

const rangeOf = ({ maximum, minimum }: JsonObject): string => {
  if (minimum !== undefined && maximum !== undefined) return ` from ${valueText(minimum)} to ${valueText(maximum)}`
  return minimum === undefined ? "" : `, at least ${valueText(minimum)}`
}

const choicesOf = (schema: JsonObject): ReadonlyArray<JsonObject> => [
  ...objectsAt(schema, "anyOf"),
  ...objectsAt(schema, "oneOf")
]

interface Field {
  readonly name: string
  readonly schema: JsonObject
  readonly required: boolean
}

/** The fields of an object, including those of inline objects. */
const fieldsOf = (schema: JsonObject, prefix = ""): ReadonlyArray<Field> => {
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  return Object.entries(contractObjectAt(schema, "properties")).flatMap(([key, member]) => {
    if (!isJsonObject(member)) return []
    const name = `${prefix}${key}`
    const own = { name, schema: member, required: required.includes(key) }
    if (textAt(member, "type") === "array") return [own, ...fieldsOf(contractObjectAt(member, "items"), `${name}[].`)]
    return [own, ...fieldsOf(member, `${name}.`)]
  })
}

/** The section of a named schema: its description, and a table of its fields. */
export const schemaSection = (name: string, schema: JsonObject): string => {
  const description = textAt(schema, "description")
  const parts = [`## ${name}`, ...(description === "" ? [] : [description])]
  const choices = choicesOf(schema)
  if (choices.length > 0) parts.push(`One of ${choices.map((choice) => typeText(choice, 0)).join(", ")}.`)
  const fields = fieldsOf(schema)
  if (fields.length > 0) parts.push(table(["field", "type", "meaning"], fields.map(fieldRow)))
  else if (choices.length === 0) parts.push(`A value: ${typeText(schema, 0)}.`)
  return parts.join("\n\n")
}

const fieldRow = ({ name, required, schema }: Field): ReadonlyArray<string> => [
  `\`${name}\`${required ? "" : " (optional)"}`,
  typeText(schema, 0),
  textAt(schema, "description")
]

/** A Markdown table; line breaks and bars in cells are escaped. */
export const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const line = (cells: ReadonlyArray<string>): string =>
    `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|")).join(" | ")} |`
  return [line(header), `|${header.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n")
}

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
  /** Whether it needs the secret of a webhook. */
  readonly needsSecret: boolean
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
const objectsAt = (value: JsonObject, name: string): ReadonlyArray<JsonObject> => {
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
              needsSecret: objectsAt(operation, "security").length > 0,
              responses: contractObjectAt(operation, "responses")
            }
          ]
        : []
    )
  )

export const schemasOf = (contract: JsonObject): ReadonlyArray<readonly [string, JsonObject]> =>
  Object.entries(contractObjectAt(contractObjectAt(contract, "components"), "schemas")).flatMap(([name, schema]) =>
    isJsonObject(schema) ? [[name, schema]] : []
  )

const REFERENCE = "#/components/schemas/"

/** The name of the referenced schema; `null` if it is inline. */
const referred = (schema: JsonObject): string | null => {
  const reference = textAt(schema, "$ref")
  return reference.startsWith(REFERENCE) ? reference.slice(REFERENCE.length) : null
}
