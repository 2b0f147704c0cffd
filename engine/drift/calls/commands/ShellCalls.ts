import {
  joined,
  NO_FIELDS,
  OPEN,
  type SentBody,
  type SentField,
  sentText,
  type SentValue,
  type ShownCall
} from "../../ShownCall.ts"
import { bodyOfText, readJson } from "../code/SentBody.ts"
import { addHeader, addressOf, calls, type CommandCall, headerText, METHOD } from "./CommandCall.ts"
import { curlCalls } from "./Curl.ts"
import { type ShellCommand, shellCommands } from "./ShellWords.ts"

/** Words before a command that change nothing in what it calls. */
const BEFORE = new Set("sudo time exec command do then else ! npx watch nohup { ( $ % >".split(" "))

const SETTING = /^[A-Za-z_]\w{0,60}=/

/** The command without what is before its name. */
const named = (command: ShellCommand): ShellCommand => {
  let from = 0
  while (
    from < command.words.length - 1 &&
    (BEFORE.has(command.words[from] ?? "") || SETTING.test(command.words[from] ?? ""))
  )
    from++
  return from === 0 ? command : { ...command, words: command.words.slice(from) }
}

const callsOf = (command: ShellCommand): ReadonlyArray<ShownCall> => {
  const name = (command.words[0] ?? "").replace(/^.*[\\/]/, "").replace(/\.exe$/i, "")
  switch (name) {
    case "curl":
      return curlCalls(command)
    case "wget":
      return wgetCalls(command)
    case "http":
    case "https":
    case "xh":
    case "xhs": {
      const call = httpieCall(command)
      return call === null ? [] : [call]
    }
    default:
      return []
  }
}

/** The calls of commands in a shell's text: curl, wget, HTTPie and xh. */
export const shellCalls = (text: string, known: ReadonlyMap<string, string>): ReadonlyArray<ShownCall> =>
  shellCommands(text, known).flatMap((command) => callsOf(named(command)))

const HTTPIE_METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/

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
const httpieCall = ({ input, line, words }: ShellCommand): ShownCall | null => {
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
    } else if (address === null && call.method === "" && HTTPIE_METHOD.test(word)) call.method = word
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

/** Options that take a value in the next word. */
const WGET_VALUES = new Set(
  "-O --output-document -o --output-file -a --append-output -t --tries -T --timeout -P --directory-prefix -U --user-agent --header --method --post-data --post-file --body-data --body-file --user --password --http-user --http-password --referer --ca-certificate --certificate --private-key --load-cookies --save-cookies --limit-rate -i --input-file -A -R -l --level -w --wait -e --execute".split(
    " "
  )
)

const wgetCalls = ({ line, words }: ShellCommand): ReadonlyArray<ShownCall> => {
  const call: CommandCall = {
    client: "wget",
    line,
    method: "",
    query: NO_FIELDS,
    headers: [],
    areHeadersOpen: false,
    body: { _tag: "None" }
  }
  const urls: Array<string> = []
  let data: string | null = null
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ""
    if (!word.startsWith("-") || word === "-") {
      const address = addressOf(word)
      if (address === null) call.areHeadersOpen = true
      else urls.push(address)
      continue
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1
    const option = equals < 0 ? word : word.slice(0, equals)
    const value = equals < 0 ? (words[at + 1] ?? "") : word.slice(equals + 1)
    if (equals < 0 && WGET_VALUES.has(option)) at++
    if (option === "--post-data" || option === "--body-data") data = value
    take(call, option, value)
  }
  if (call.method === "") call.method = data === null ? "GET" : "POST"
  if (data !== null) call.body = wgetBody(call, data)
  return METHOD.test(call.method) ? urls.map((url) => calls(call, url)) : []
}

const take = (call: CommandCall, option: string, value: string): void => {
  switch (option) {
    case "--method":
      call.method = METHOD.test(value) ? value.toUpperCase() : "?"
      return
    case "--header":
      return addHeader(call, value)
    case "--post-file":
      call.body = { _tag: "Open" }
      call.method ||= "POST"
      return
    case "--body-file":
      call.body = { _tag: "Open" }
      return
    case "--user":
    case "--http-user":
      call.headers.push({ name: "Authorization", value: OPEN })
      return
    case "--spider":
      call.method ||= "HEAD"
      return
    default:
  }
}

const wgetBody = (call: CommandCall, data: string): SentBody => bodyOfText(data, headerText(call, "content-type"))
