import type { JsonObject } from "../../../engine/text/JsonObject.ts"
import { contractObjectAt, type Operation, textAt, valueText } from "./ContractReading.ts"

/** An example request of an operation, from the contract's examples. */
export interface Call {
  readonly method: string
  readonly url: string
  /** JSON text; `null` without a body. */
  readonly body: string | null
}

/** Query parameters that the example omits unless they are required, to keep it simple. */
const isShown = (parameter: JsonObject): boolean =>
  parameter["in"] === "path" ||
  (parameter["in"] === "query" && (parameter["required"] === true || textAt(parameter, "name") === "q"))

/** The example call of an operation on a service; `query` is appended unchanged. */
export const exampleCall = (
  { method, parameters, path, requestBody }: Operation,
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
    body: body === null || body === undefined ? null : JSON.stringify(body)
  }
}

/** The response to a call, and how a program uses it. */
export type AnswerKind = "json" | "text" | "file"

/** The call as a shell command, in Python and in JavaScript, one section each. */
export const callSections = (call: Call, kind: AnswerKind): string =>
  [
    ["curl", "sh", curl(call, kind)],
    ["Python", "python", python(call, kind)],
    ["JavaScript", "js", javascript(call, kind)]
  ]
    .map(([name, language, code]) => `### ${name}\n\n\`\`\`${language}\n${code}\n\`\`\``)
    .join("\n\n")

const FILE = "audit.warc.gz"

const curl = ({ body, method, url }: Call, kind: AnswerKind): string => {
  const parts = [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${url}'`,
    ...(body === null ? [] : ["-H 'content-type: application/json'", `-d '${body}'`]),
    ...(kind === "file" ? [`-o ${FILE}`] : [])
  ]
  return parts.join(" \\\n  ")
}

const python = ({ body, method, url }: Call, kind: AnswerKind): string => {
  const sends = body === null ? "" : `, json=${body}`
  const call = `requests.${method.toLowerCase()}("${url}"${sends}, timeout=150)`
  const uses = {
    json: "print(response.json())",
    text: "print(response.text)",
    file: `open("${FILE}", "wb").write(response.content)`
  }[kind]
  return `import requests\n\nresponse = ${call}\nresponse.raise_for_status()\n${uses}`
}

const javascript = ({ body, method, url }: Call, kind: AnswerKind): string => {
  const options =
    body === null
      ? ""
      : `, {\n  method: "${method}",\n  headers: { "content-type": "application/json" },\n  body: JSON.stringify(${body})\n}`
  const uses = {
    json: "console.log(await response.json())",
    text: "console.log(await response.text())",
    file: "const archive = new Uint8Array(await response.arrayBuffer())"
  }[kind]
  return `const response = await fetch("${url}"${options})\nif (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)\n${uses}`
}
