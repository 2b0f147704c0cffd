import type { SentBody, SentField, SentValue, ShownCall } from "../../ShownCall.ts"
import { bodyOfText, readJson } from "../code/BodyText.ts"
import { joined, NO_FIELDS, OPEN, sentText } from "../values/Fields.ts"
import { addressOf, calls, type CommandCall, headerText } from "./CommandCall.ts"
import type { ShellCommand } from "./ShellWords.ts"

const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/

/** Options that take a value. */
const VALUES = new Set(
  "-a --auth -A --auth-type --session --session-read-only --timeout --proxy --verify --cert --cert-key -o --output -p --print --style -s --pretty --max-redirects --raw --boundary --ssl --ciphers --response-charset --format-options --default-scheme --bearer --http-version".split(
    " "
  )
)

/** The first of these separates a name from what is sent; of two that begin together the longer counts. */
const SEPARATOR = /^((?:[^:=@;\\\s]|\\[\s\S]){1,200}?)(:=@|:=|==|=@|=|@|:|;$)([\s\S]*)$/

interface Items {
  readonly query: Array<SentField>
  readonly data: Array<SentField>
  isDataOpen: boolean
  hasFile: boolean
}

/** A value that is written as JSON. */
const rawValue = (text: string): SentValue => {
  const list = readJson(`[${text}]`)
  const [value, ...more] = list?._tag === "List" ? list.items : []
  return value === undefined || more.length > 0 ? OPEN : value
}

const takeItem = (call: CommandCall, items: Items, word: string): boolean => {
  const [, name = "", separator, text = ""] = SEPARATOR.exec(word) ?? []
  if (separator === undefined) return false
  const plain = name.replaceAll("\\", "")
  const isNested = /[[\]]/.test(plain)
  if (separator === ":") call.headers.push({ name: plain, value: sentText(text.trim()) })
  else if (separator === ";") call.headers.push({ name: plain, value: sentText("") })
  else if (separator === "==") items.query.push({ name: plain, value: sentText(text) })
  else if (separator === "@") items.hasFile = true
  else if (isNested) items.isDataOpen = true
  else if (separator === "=") items.data.push({ name: plain, value: sentText(text) })
  else items.data.push({ name: plain, value: separator === ":=" ? rawValue(text) : OPEN })
  return true
}

/** The call of a command of HTTPie or xh; `null` if it is none. */
export const httpieCall = ({ input, line, words }: ShellCommand): ShownCall | null => {
  const call: CommandCall = {
    client: "httpie",
    line,
    method: "",
    query: NO_FIELDS,
    headers: [],
    areHeadersOpen: false,
    body: { _tag: "None" }
  }
  const items: Items = { query: [], data: [], isDataOpen: false, hasFile: false }
  let address: string | null = null
  let raw: string | null | undefined = input
  let isForm = false
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ""
    if (word.startsWith("-") && word.length > 1) {
      isForm ||= /^(?:-f|--form|--multipart)$/.test(word)
      const [option = word, given] = word.includes("=")
        ? [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]
        : [word]
      if (option === "-a" || option === "--auth" || option === "--bearer" || option === "-A")
        call.headers.push({ name: "Authorization", value: OPEN })
      if (option === "--raw") raw = given ?? words[at + 1] ?? ""
      if (given === undefined && VALUES.has(option)) at++
    } else if (address === null && call.method === "" && METHOD.test(word)) call.method = word
    else if (address === null) {
      address = addressOf(word)
      if (address === null) return null
    } else if (!takeItem(call, items, word)) items.isDataOpen = true
  }
  if (address === null) return null
  call.query = { fields: items.query, open: false }
  call.body = bodyOf(call, items, isForm, raw)
  if (call.method === "") call.method = call.body._tag === "None" ? "GET" : "POST"
  return calls({ ...call, query: joined(NO_FIELDS, call.query) }, address)
}

const bodyOf = (call: CommandCall, items: Items, isForm: boolean, input: ShellCommand["input"]): SentBody => {
  if (items.hasFile || isForm)
    return items.data.length === 0 && !items.hasFile && !items.isDataOpen
      ? { _tag: "None" }
      : { _tag: "Form", sent: { fields: items.data, open: items.hasFile || items.isDataOpen } }
  if (items.data.length > 0 || items.isDataOpen)
    return { _tag: "Json", value: { _tag: "Object", sent: { fields: items.data, open: items.isDataOpen } } }
  if (input === undefined) return { _tag: "Open" }
  return input === null ? { _tag: "None" } : bodyOfText(input, headerText(call, "content-type"))
}
