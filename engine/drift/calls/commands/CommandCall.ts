import {
  addressParts,
  type CallClient,
  CAPITAL_SERVER,
  joined,
  NO_FIELDS,
  type SentBody,
  type SentField,
  type SentFields,
  sentText,
  type ShownCall
} from "../../ShownCall.ts"
import { upTo } from "../../../text/WhiteSpace.ts"

/** What a command says of a call, while its options are read. */
export interface CommandCall {
  readonly client: CallClient
  readonly line: number
  method: string
  query: SentFields
  readonly headers: Array<SentField>
  areHeadersOpen: boolean
  body: SentBody
}

const LONGEST = 2_000

const HOST =
  /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,8}[a-z]{2,24})(?::\d{1,5})?(?:[/?]|$)/i

/** A host or a whole address in a variable or placeholder, and a path. */
const BEGINS_OPEN =
  /^(?:\$\{\w{1,60}\}\w|(?:\$\{?\w{1,60}\}?|\{{1,2}[^{}]{1,80}\}{1,2}|<[^<>]{1,80}>|\[[\w-]{1,40}\]|%\w{1,40}%)[:/.])/

/** The address that a word is, with a scheme where commands may leave it out; `null` if it is none. */
export const addressOf = (word: string): string | null => {
  const text = word.startsWith(":") && /^:\d{0,5}(?:\/|$)/.test(word) ? `localhost${word === ":" ? "" : word}` : word
  if (text.length > LONGEST || /[\s"'`]/.test(withoutPlaceholders(pathOf(text)))) return null
  if (/^https?:\/\/[^/]/i.test(text) || /^\/(?!\/)/.test(text)) return text
  if (text.startsWith("localhost/") || HOST.test(text)) return `http://${text}`
  return BEGINS_OPEN.test(text) || CAPITAL_SERVER.test(text) ? text : null
}

/** Only queries are written with quotes and spaces, such as filters of OData. */
const pathOf = (text: string): string => upTo(text, "?#")

const withoutPlaceholders = (text: string): string => text.replace(/<[^<>]{1,80}>|\{{1,2}[^{}]{1,80}\}{1,2}/g, "")

/** `Name: value`, as curl and wget take it. */
export const addHeader = (call: CommandCall, line: string): void => {
  const colon = line.indexOf(":")
  const name = (colon < 0 ? line.replace(/;$/, "") : line.slice(0, colon)).trim()
  if ((colon < 0 && !line.endsWith(";")) || !/^[\w!#%&*+.^|~-]{1,100}$/.test(name)) call.areHeadersOpen = true
  else call.headers.push({ name, value: sentText(colon < 0 ? "" : line.slice(colon + 1).trim()) })
}

export const headerText = ({ headers }: CommandCall, name: string): string | null => {
  const value = headers.find((header) => header.name.toLowerCase() === name)?.value
  return value?._tag === "Known" ? String(value.value) : null
}

/** The call of an address. */
export const calls = (call: CommandCall, written: string): ShownCall => {
  const { address, query } = addressParts(written)
  return {
    client: call.client,
    method: call.method,
    address,
    query: joined(query, call.query),
    headers: joined(NO_FIELDS, { fields: call.headers, open: call.areHeadersOpen }),
    body: call.body,
    line: call.line
  }
}

export const METHOD = /^[A-Z]{3,10}$/i
