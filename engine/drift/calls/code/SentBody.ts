import {
  addressParts,
  CAPITAL_SERVER,
  isName,
  joined,
  OPEN,
  queryOf,
  type SentBody,
  type SentField,
  type SentFields,
  sentText,
  type SentValue,
  type ShownCall
} from "../../ShownCall.ts"
import type { ClientRules } from "./ClientRules.ts"
import { CodeReader } from "./CodeReader.ts"
import { addressText, type CodeRequest, type CodeValue, type Dict } from "./CodeValue.ts"
import { C_LIKE, type Syntax } from "./Tokens.ts"

/** JSON as it is shown: with comments, commas at the end, and placeholders without quotes. */
const JSON_TEXT: Syntax = {
  ...C_LIKE,
  lineComments: ["//", "#"],
  braces: "object"
}

const nothing = (): undefined => undefined

const NO_CLIENT: ClientRules = {
  syntax: JSON_TEXT,
  callFunction: nothing,
  callMethod: nothing,
  member: nothing,
  named: nothing,
  assign: () => {}
}

/** JSON as pages show it, with comments, commas too many and placeholders; `null` if the text is something else. */
export const readJson = (text: string): SentValue | null => {
  const reader = new CodeReader(text, NO_CLIENT)
  const value = reader.expression(true)
  return reader.next.kind === "end" && (value._tag === "Dict" || value._tag === "List") ? sentValue(value) : null
}

const FORM = /^[\w.[\]%-]{1,100}=/

export const bodyOfText = (text: string, type: string | null): SentBody => {
  const trimmed = text.trim()
  if (trimmed === "") return { _tag: "None" }
  if (/^[[{]/.test(trimmed)) {
    const value = readJson(trimmed)
    return value === null ? { _tag: "Open" } : { _tag: "Json", value }
  }
  const isForm = (type === null || /x-www-form-urlencoded/i.test(type)) && FORM.test(trimmed) && !/[\n<]/.test(trimmed)
  return isForm ? { _tag: "Form", sent: queryOf(trimmed) } : { _tag: "Open" }
}

/** What is nested deeper, or comes after so many values, is open: names can hold each other, so that a short program makes a large value. */
const DEPTH = 20
const MOST_VALUES = 2_000

/** The JSON that a value becomes. */
const sentValue = (value: CodeValue): SentValue => {
  let left = MOST_VALUES
  const sent = (one: CodeValue, depth: number): SentValue => {
    if (--left < 0 || depth > DEPTH) return OPEN
    if (one._tag === "Text") return sentText(one.text)
    if (one._tag === "Literal") return { _tag: "Known", value: one.value }
    if (one._tag === "List") {
      const items = one.items.slice(0, Math.max(0, left)).map((item) => sent(item, depth + 1))
      return { _tag: "List", items, open: one.open || items.length < one.items.length }
    }
    if (one._tag !== "Dict") return OPEN
    const fields = one.entries
      .slice(0, Math.max(0, left))
      .map(([name, member]) => ({ name, value: sent(member, depth + 1) }))
    return { _tag: "Object", sent: { fields, open: one.open || fields.length < one.entries.length } }
  }
  return sent(value, 0)
}

/** What a value is in a query, header or form, where all is text. */
const asText = (value: CodeValue): SentValue => {
  if (value._tag === "Literal" && value.value !== null) return { _tag: "Known", value: String(value.value) }
  if (value._tag === "List")
    return { _tag: "List", items: value.items.slice(0, 100).map(asText), open: value.open || value.items.length > 100 }
  return value._tag === "Text" ? sentText(value.text) : OPEN
}

const sentFields = ({ entries, open }: Dict): SentFields => {
  const fields = entries
    .filter(([name]) => isName(name))
    .map(([name, value]): SentField => ({ name, value: asText(value) }))
  return joined({ fields: [], open: open || fields.length < entries.length }, { fields, open: false })
}

const METHOD = /^[A-Z]{3,10}$/

/** An address with a host, a path, or either after a name that holds its beginning. */
const ADDRESS =
  /^(?:https?:\/\/[^\s/?#]|\/(?!\/)|\{[\w.-]{1,60}\}[/.:]|\{\w{0,40}(?:url|base|host|api|root|server|endpoint)\w{0,20}\}\w)[^\s?#]*(?:[?#]|$)/i
const LONGEST_ADDRESS = 2_000

/** The call that a request of a program makes; `null` where its method or address is not known. */
export const callOf = (request: CodeRequest): ShownCall | null => {
  const { body, bodyForm, client, line } = request
  const method = request.method?.toUpperCase() ?? ""
  const written = addressText(request.address)
  if (written === null || written.length > LONGEST_ADDRESS || !METHOD.test(method)) return null
  if (!ADDRESS.test(written) && !CAPITAL_SERVER.test(written)) return null
  const { address, query } = addressParts(written)
  const headers = sentFields(request.headers)
  return {
    client,
    method,
    address,
    query: joined(query, sentFields(request.query)),
    headers,
    body: body === null ? { _tag: "None" } : bodyOf(body, bodyForm, contentType(headers)),
    line
  }
}

const contentType = ({ fields }: SentFields): string | null => {
  const value = fields.find(({ name }) => name.toLowerCase() === "content-type")?.value
  return value?._tag === "Known" ? String(value.value) : null
}

const bodyOf = (body: CodeValue, form: CodeRequest["bodyForm"], type: string | null): SentBody => {
  if (body._tag === "Text") return bodyOfText(body.text, type)
  if (body._tag === "Form") return { _tag: "Form", sent: sentFields(body.sent) }
  if (body._tag === "Dict" && form === "form") return { _tag: "Form", sent: sentFields(body) }
  if (body._tag === "Literal" && body.value === null) return { _tag: "None" }
  const json = body._tag === "Json" ? body.value : form === "json" ? body : null
  if (body._tag === "Json" && json?._tag === "Text") return { _tag: "Json", value: sentText(json.text) }
  return json?._tag === "Dict" || json?._tag === "List" ? { _tag: "Json", value: sentValue(json) } : { _tag: "Open" }
}
