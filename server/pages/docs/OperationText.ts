import { isJsonObject, type JsonObject } from "../../../engine/text/JsonObject.ts"
import { type AnswerKind, callSections, exampleCall } from "./CallText.ts"
import { contractObjectAt, type Operation, textAt, valueText } from "./ContractReading.ts"
import { table, typeText } from "./SchemaText.ts"

/** Pages of operations are one folder below `/v1`. */
const DEPTH = 1

/** The method and path as a separate line, for the top of the page. */
export const operationLine = ({ method, path }: Operation, baseUrl: string): string =>
  `\`\`\`http\n${method} ${path} HTTP/1.1\nHost: ${new URL(baseUrl).host}\n\`\`\``

/** The operation's parameters and body. */
export const requestSection = ({ parameters, requestBody }: Operation): string => {
  const parts = ["## Request"]
  if (parameters.length > 0) parts.push(table(["parameter", "in", "type", "meaning"], parameters.map(parameterRow)))
  if (requestBody !== null) parts.push(bodyText(requestBody))
  if (parts.length === 1) parts.push("The operation has no parameters and no body.")
  return parts.join("\n\n")
}

const parameterRow = (parameter: JsonObject): ReadonlyArray<string> => {
  const schema = contractObjectAt(parameter, "schema")
  const fallback = schema["default"] === undefined ? "" : ` Default: \`${valueText(schema["default"])}\`.`
  return [
    `\`${textAt(parameter, "name")}\`${parameter["required"] === true ? " (required)" : ""}`,
    textAt(parameter, "in"),
    typeText(schema, DEPTH),
    `${textAt(parameter, "description")}${fallback}`
  ]
}

const bodyText = (body: JsonObject): string => {
  const content = Object.entries(contractObjectAt(body, "content"))
  const types = content.map(([type]) => `\`${type}\``).join(" or ")
  const [, first] = content[0] ?? []
  const { example, schema } = isJsonObject(first) ? first : {}
  const kind = isJsonObject(schema) ? typeText(schema, DEPTH) : ""
  return `The body is required: ${kind}, as ${types}.\n\n${jsonBlock(example)}`
}

/** The example call in three languages. */
export const examplesSection = (operation: Operation, baseUrl: string, query: string): string =>
  `## Examples\n\n${callSections(exampleCall(operation, baseUrl, query), kindOf(operation))}`

const kindOf = ({ responses }: Operation): AnswerKind => {
  const types = Object.keys(contractObjectAt(contractObjectAt(responses, "200"), "content"))
  if (types.includes("application/gzip")) return "file"
  return types.includes("application/yaml") ? "text" : "json"
}

/** The operation's responses: each success with its headers and an example, then a table of errors. */
export const responsesSection = ({ responses }: Operation): string => {
  const entries = Object.entries(responses).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
  const successes = entries.filter(([status]) => Number(status) < 400)
  const errors = entries.filter(([status]) => Number(status) >= 400)
  return [
    "## Responses",
    ...successes.map(([status, response]) => successText(status, response)),
    "### Errors",
    "What each code means and what to do about it: [Errors](../errors.md).",
    table(["status", "body", "when"], errors.map(errorRow))
  ].join("\n\n")
}

const successText = (status: string, response: JsonObject): string => {
  const parts = [`### Status ${status}`, ...describedBy(response)]
  const headers = Object.entries(contractObjectAt(response, "headers"))
  if (headers.length > 0) parts.push(table(["header", "type", "meaning"], headers.map(headerRow)))
  for (const [type, media] of Object.entries(contractObjectAt(response, "content")))
    parts.push(...mediaText(type, isJsonObject(media) ? media : {}))
  return parts.join("\n\n")
}

/** The contract generator's default descriptions carry no information. */
const describedBy = (response: JsonObject): ReadonlyArray<string> => {
  const description = textAt(response, "description")
  return description === "" || description === "Success" ? [] : [description]
}

const headerRow = ([name, header]: readonly [string, unknown]): ReadonlyArray<string> => {
  const said = isJsonObject(header) ? header : {}
  return [`\`${name}\``, typeText(contractObjectAt(said, "schema"), DEPTH), textAt(said, "description")]
}

const mediaText = (type: string, media: JsonObject): ReadonlyArray<string> => {
  const schema = contractObjectAt(media, "schema")
  const kind = typeText(schema, DEPTH)
  const description = textAt(schema, "description")
  const said = `The body is \`${type}\`${kind === "string" || kind.startsWith("string ") ? "" : `: ${kind}`}.${description === "" ? "" : ` ${description}`}`
  return [said, ...(type === "application/json" && media["example"] !== undefined ? [jsonBlock(media["example"])] : [])]
}

const errorRow = ([status, response]: readonly [string, JsonObject]): ReadonlyArray<string> => {
  const media = contractObjectAt(contractObjectAt(response, "content"), "application/json")
  return [status, typeText(contractObjectAt(media, "schema"), DEPTH), textAt(response, "description")]
}

const jsonBlock = (example: unknown): string => `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``

/** A list of all operations with links to their pages, for the first page of the reference. */
export const operationList = (operations: ReadonlyArray<Operation>, slugOf: (operation: Operation) => string): string =>
  table(
    ["operation", "method and path", "what it does"],
    operations.map((operation) => [
      `[${operation.summary}](${slugOf(operation)}.md)`,
      `\`${operation.method} ${operation.path}\``,
      operation.description.split("\n")[0] ?? ""
    ])
  )
