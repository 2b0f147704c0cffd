import { isJsonObject, type JsonObject } from "../../../engine/text/JsonText.ts"
import { contractObjectAt, type Operation, table, textAt, typeText, valueText } from "./SchemaText.ts"

/** Pages of operations are one folder below `/v1`. */
const DEPTH = 1

/** The method and path as a separate line, for the top of the page. */
export const operationLine = ({ method, path }: Operation, baseUrl: string): string =>
  `\`\`\`http\n${method} ${path} HTTP/1.1\nHost: ${new URL(baseUrl).host}\n\`\`\``

export const requestSection = ({ needsSecret, parameters, requestBody }: Operation): string => {
  const parts = ["## Request"]
  if (needsSecret) parts.push(`Send the secret of the webhook: \`Authorization: ${SECRET}\`.`)
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

/** The secret of the contract's examples, as a header has it. */
const SECRET = "Bearer whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="

/** The example call in three languages. */
export const examplesSection = (operation: Operation, baseUrl: string, query: string): string =>
  `## Examples\n\n${callSections(exampleCall(operation, baseUrl, query), kindOf(operation))}`

const kindOf = ({ responses }: Operation): AnswerKind => {
  if ("204" in responses) return "none"
  const types = Object.keys(contractObjectAt(contractObjectAt(responses, "200"), "content"))
  const file = types.map((type) => FILES.get(type)).find((name) => name !== undefined)
  if (file !== undefined) return { file }
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

/** An example request of an operation, from the contract's examples. */
interface Call {
  readonly method: string
  readonly url: string
  /** JSON text; `null` without a body. */
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** Query parameters that the example omits unless they are required, to keep it simple. */
const isShown = (parameter: JsonObject): boolean =>
  parameter["in"] === "path" ||
  (parameter["in"] === "query" && (parameter["required"] === true || textAt(parameter, "name") === "q"))

/** The example call of an operation on a service; `query` is appended unchanged. */
const exampleCall = (
  { method, needsSecret, parameters, path, requestBody }: Operation,
  baseUrl: string,
  query = ""
): Call => {
  const shown = parameters.filter(isShown)
  const example = (parameter: JsonObject): string => encodeURIComponent(valueText(parameter["example"] ?? ""))
  const filled = shown
    .filter((parameter) => parameter["in"] === "path")
    .reduce((text, parameter) => text.replace(`{${textAt(parameter, "name")}}`, example(parameter)), path)
  const asked = [
    ...shown
      .filter((parameter) => parameter["in"] === "query")
      .map((parameter) => `${textAt(parameter, "name")}=${example(parameter)}`),
    ...(query === "" ? [] : [query])
  ]
  const body =
    requestBody === null
      ? null
      : contractObjectAt(contractObjectAt(requestBody, "content"), "application/json")["example"]
  return {
    method,
    url: `${baseUrl}${filled}${asked.length === 0 ? "" : `?${asked.join("&")}`}`,
    body: body === null || body === undefined ? null : JSON.stringify(body),
    headers: {
      ...(body === null || body === undefined ? {} : { "content-type": "application/json" }),
      ...(needsSecret ? { authorization: SECRET } : {})
    }
  }
}

/** The response to a call, and how a program uses it. */
type AnswerKind = "json" | "text" | "none" | { readonly file: string }

/** What is kept in a file, by its media type, with a name for it. */
const FILES = new Map([
  ["application/gzip", "audit.warc.gz"],
  ["application/x-ndjson", "sites.ndjson"]
])

/** The call as a shell command, in Python and in JavaScript, one section each. */
const callSections = (call: Call, kind: AnswerKind): string =>
  [
    ["curl", "sh", curl(call, kind)],
    ["Python", "python", python(call, kind)],
    ["JavaScript", "js", javascript(call, kind)]
  ]
    .map(([name, language, code]) => `### ${name}\n\n\`\`\`${language}\n${code}\n\`\`\``)
    .join("\n\n")

const curl = ({ body, headers, method, url }: Call, kind: AnswerKind): string => {
  const parts = [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${url}'`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === null ? [] : [`-d '${body}'`]),
    ...(typeof kind === "object" ? [`-o ${kind.file}`] : [])
  ]
  return parts.join(" \\\n  ")
}

const python = ({ body, headers: { authorization }, method, url }: Call, kind: AnswerKind): string => {
  const sends = [
    ...(body === null ? [] : [`json=${body}`]),
    ...(authorization === undefined ? [] : [`headers={"authorization": "${authorization}"}`])
  ]
  const call = `requests.${method.toLowerCase()}("${url}"${sends.map((each) => `, ${each}`).join("")}, timeout=150)`
  const uses =
    typeof kind === "object"
      ? `\nopen("${kind.file}", "wb").write(response.content)`
      : { json: "\nprint(response.json())", text: "\nprint(response.text)", none: "" }[kind]
  return `import requests\n\nresponse = ${call}\nresponse.raise_for_status()${uses}`
}

const javascript = ({ body, headers, method, url }: Call, kind: AnswerKind): string => {
  const listed = Object.entries(headers).map(
    ([name, value]) => `${/^\w+$/.test(name) ? name : `"${name}"`}: "${value}"`
  )
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(listed.length === 0 ? [] : [`headers: { ${listed.join(", ")} }`]),
    ...(body === null ? [] : [`body: JSON.stringify(${body})`])
  ]
  const given = options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")}\n}`
  const uses =
    typeof kind === "object"
      ? "\nconst bytes = new Uint8Array(await response.arrayBuffer())"
      : { json: "\nconsole.log(await response.json())", text: "\nconsole.log(await response.text())", none: "" }[kind]
  return `const response = await fetch("${url}"${given})\nif (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)${uses}`
}
