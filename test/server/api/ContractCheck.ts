import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { expect } from "vitest"
import { contractDocument } from "../../../server/api/Contract.ts"
import { isJsonObject, type JsonObject } from "../../../engine/text/JsonText.ts"

/*
 * Holds answers against our own contract document: no status, header or field that it does not have.
 */

const at = (value: unknown, ...path: ReadonlyArray<string>): JsonObject => {
  const inner = path.reduce<unknown>((one, key) => (isJsonObject(one) ? one[key] : undefined), value)
  return isJsonObject(inner) ? inner : {}
}

/** Every object closed: a field that is not documented is found. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed)
  if (!isJsonObject(value)) return value
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]))
  return "properties" in members && !("additionalProperties" in members)
    ? { ...members, additionalProperties: false }
    : members
}

const document = contractDocument({ baseUrl: "https://docgauge.dev" })

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema({ $id: "https://contract/", components: at(closed(document), "components") })

const validators = new Map<string, ValidateFunction>()

const validatorOf = (schema: JsonObject): ValidateFunction => {
  const key = JSON.stringify(schema)
  const known = validators.get(key)
  if (known !== undefined) return known
  const compiled = ajv.compile(
    JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/components/', '"https://contract/#/components/'))
  )
  validators.set(key, compiled)
  return compiled
}

/** The path of the document that a request goes to; `null`: none. */
const templateOf = (path: string): string | null => {
  const bare = path.split("?", 1)[0] ?? ""
  return (
    Object.keys(at(document, "paths")).find((template) =>
      new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(bare)
    ) ?? null
  )
}

/** Headers that HTTP, connections, security and CORS bring along, and those that are told in the document's own words. */
const GENERAL = new Set([
  "content-type",
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "date",
  "connection",
  "keep-alive",
  "vary",
  "cache-control",
  "allow",
  "x-content-type-options",
  "x-frame-options",
  "referrer-policy",
  "content-security-policy",
  "strict-transport-security",
  "cross-origin-resource-policy",
  "x-accel-buffering",
  "access-control-allow-origin",
  "access-control-expose-headers"
])

/** Answers outside of operations: a method that a path does not have, OPTIONS, and what HEAD leaves out. */
export const expectByContract = async (method: string, path: string, answer: Response): Promise<void> => {
  const template = templateOf(path)
  if (template === null || method === "OPTIONS" || answer.status === 405) return
  const operation = at(document, "paths", template, method === "HEAD" ? "get" : method.toLowerCase())
  const documented = at(operation, "responses", String(answer.status))
  const where = `${method} ${path} ${answer.status}`
  expect(Object.keys(documented), `${where} is documented`).not.toEqual([])
  checkHeaders(where, at(documented, "headers"), answer.headers)
  if (method !== "HEAD") await checkBody(where, documented, answer)
}

const checkHeaders = (where: string, documented: JsonObject, headers: Headers): void => {
  const names = new Set(Object.keys(documented).map((name) => name.toLowerCase()))
  expect(
    [...headers.keys()].filter((name) => !names.has(name) && !GENERAL.has(name)),
    `${where}: undocumented headers`
  ).toEqual([])
  for (const [name, header] of Object.entries(documented)) {
    const value = headers.get(name)
    if (value === null) {
      expect(at(header)["required"], `${where}: ${name} is missing`).not.toBe(true)
      continue
    }
    const schema = at(header, "schema")
    const read = schema["type"] === "integer" ? Number(value) : value
    expect(validatorOf(schema)(read), `${where}: ${name}: ${value}`).toBe(true)
  }
}

const checkBody = async (where: string, documented: JsonObject, answer: Response): Promise<void> => {
  const content = at(documented, "content")
  const text = await answer.text()
  if (Object.keys(content).length === 0) return expect(text, `${where} has no body`).toBe("")
  const type = (answer.headers.get("content-type") ?? "").split(";", 1)[0] ?? ""
  expect(Object.keys(content), `${where}: ${type}`).toContain(type)
  if (type !== "application/json") return
  const validate = validatorOf(at(content, type, "schema"))
  expect(validate(JSON.parse(text)), `${where}: ${text.slice(0, 300)}: ${ajv.errorsText(validate.errors)}`).toBe(true)
}
