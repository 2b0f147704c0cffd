import {
  joined,
  NO_FIELDS,
  OPEN,
  queryOf,
  type SentBody,
  type SentField,
  sentText,
  type ShownCall,
  urlEncoded
} from "../../ShownCall.ts"
import { bodyOfText } from "../code/SentBody.ts"
import { addHeader, addressOf, calls, type CommandCall, headerText, METHOD } from "./CommandCall.ts"
import type { ShellCommand } from "./ShellWords.ts"

/** Short options that take a value. */
const SHORT = "XHdFuAebcomTxECKwrtUyYzPDQ"

/** Long options that take none; others that are known take one. */
const FLAGS = new Set(
  "get head silent show-error location location-trusted fail fail-with-body insecure verbose include compressed globoff http1.0 http1.1 http2 http2-prior-knowledge http3 no-buffer remote-name remote-header-name ipv4 ipv6 progress-bar anyauth basic digest ntlm negotiate junk-session-cookies raw path-as-is no-progress-meter no-keepalive create-dirs ssl ssl-reqd tlsv1 tlsv1.1 tlsv1.2 tlsv1.3 parallel styled-output tcp-nodelay trace-time post301 post302 post303 sslv3 append remote-time next no-fail -".split(
    " "
  )
)

const VALUES = new Set(
  "request header data data-raw data-binary data-ascii data-urlencode json form form-string user user-agent referer cookie cookie-jar output max-time connect-timeout url url-query upload-file proxy cacert cert cert-type key key-type pass config write-out range retry retry-delay retry-max-time limit-rate resolve connect-to interface oauth2-bearer aws-sigv4 unix-socket max-redirs proxy-user socks5 socks5-hostname ciphers capath dump-header stderr trace trace-ascii keepalive-time speed-limit speed-time time-cond variable expand-url expand-data output-dir max-filesize".split(
    " "
  )
)

const LONG_OF: Readonly<Record<string, string>> = {
  X: "request",
  H: "header",
  d: "data",
  F: "form",
  u: "user",
  A: "user-agent",
  e: "referer",
  b: "cookie",
  T: "upload-file",
  G: "get",
  I: "head",
  ":": "next"
}

/** What a command has said so far. */
interface CurlState {
  readonly call: CommandCall
  method: string | null
  readonly data: Array<string>
  isDataOpen: boolean
  readonly form: Array<SentField>
  hasForm: boolean
  isJson: boolean
  inQuery: boolean
  isHead: boolean
  isUpload: boolean
  readonly urls: Array<string>
  /** Words that are no addresses: options in variables, or a quote that was set wrongly. */
  strays: number
}

const begun = (line: number): CurlState => ({
  call: {
    client: "curl",
    line,
    method: "GET",
    query: NO_FIELDS,
    headers: [],
    areHeadersOpen: false,
    body: { _tag: "None" }
  },
  method: null,
  data: [],
  isDataOpen: false,
  form: [],
  hasForm: false,
  isJson: false,
  inQuery: false,
  isHead: false,
  isUpload: false,
  urls: [],
  strays: 0
})

export const curlCalls = ({ input, line, words }: ShellCommand): ReadonlyArray<ShownCall> => {
  const found: Array<ShownCall> = []
  let state = begun(line)
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ""
    const [option, value, taken] = optionAt(word, words[at + 1])
    if (option === null) takePositional(state, word)
    else if (option === "next") {
      found.push(...finished(state))
      state = begun(line)
    } else take(state, option, value, input)
    at += taken
    for (const flag of clustered(word)) take(state, flag, "", input)
  }
  return [...found, ...finished(state)]
}

/** Options in front of another in one word: `-sSLX POST` is `-s -S -L -X POST`. */
const clustered = (word: string): ReadonlyArray<string> => {
  if (!/^-[A-Za-z:#0-9]/.test(word)) return []
  const flags: Array<string> = []
  for (const letter of word.slice(1)) {
    if (SHORT.includes(letter)) break
    flags.push(LONG_OF[letter] ?? "")
  }
  return flags.filter((flag) => flag === "get" || flag === "head")
}

/** The option of a word with its value, and how many words after it belong to it; `null`: it is none. */
const optionAt = (word: string, next: string | undefined): readonly [string | null, string, number] => {
  if (word.startsWith("--")) {
    const equals = word.indexOf("=")
    const name = word.slice(2, equals < 0 ? undefined : equals)
    if (FLAGS.has(name)) return [name, "", 0]
    if (equals > 0) return [name, word.slice(equals + 1), 0]
    return VALUES.has(name) ? [name, next ?? "", 1] : ["unknown", "", 0]
  }
  if (word.length < 2 || !word.startsWith("-")) return [null, "", 0]
  if (word === "-:") return ["next", "", 0]
  for (let at = 1; at < word.length; at++) {
    const letter = word.charAt(at)
    if (!SHORT.includes(letter)) continue
    const rest = word.slice(at + 1)
    const name = LONG_OF[letter] ?? "other"
    return rest === "" ? [name, next ?? "", 1] : [name, rest, 0]
  }
  return ["flag", "", 0]
}

const takePositional = (state: CurlState, word: string): void => {
  const address = addressOf(word)
  if (address === null) state.strays++
  else state.urls.push(address)
}

const take = (state: CurlState, option: string, value: string, input: ShellCommand["input"]): void => {
  const { call } = state
  switch (option) {
    case "request":
      state.method = value
      return
    case "header":
      return addHeader(call, value)
    case "data":
    case "data-binary":
    case "data-ascii":
      return takeData(state, value, input)
    case "data-raw":
      state.data.push(value)
      return
    case "data-urlencode":
      return takeEncoded(state, value)
    case "json":
      state.isJson = true
      return takeData(state, value, input)
    case "form":
    case "form-string":
      return takeForm(state, value, option === "form")
    case "url":
      return takePositional(state, value)
    case "url-query":
      call.query = joined(call.query, queryOf(value.replace(/^\+/, "")))
      return
    case "get":
      state.inQuery = true
      return
    case "head":
      state.isHead = true
      return
    case "upload-file":
      state.isUpload = true
      return
    case "config":
      state.strays++
      return
    default:
      return takeCredential(call, option)
  }
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  user: "Authorization",
  "oauth2-bearer": "Authorization",
  "aws-sigv4": "Authorization",
  cookie: "Cookie",
  "user-agent": "User-Agent",
  referer: "Referer"
}

const takeCredential = (call: CommandCall, option: string): void => {
  const name = Object.hasOwn(CREDENTIALS, option) ? CREDENTIALS[option] : undefined
  if (name !== undefined) call.headers.push({ name, value: OPEN })
}

const takeData = (state: CurlState, value: string, input: ShellCommand["input"]): void => {
  if (!value.startsWith("@")) state.data.push(value)
  else if (value === "@-" && typeof input === "string") state.data.push(input.trim())
  else state.isDataOpen = true
}

/** `name=text`, `=text` or `text`, of which the text is to be encoded; `name@file`. */
const takeEncoded = (state: CurlState, value: string): void => {
  const equals = value.indexOf("=")
  const file = value.indexOf("@")
  if (file >= 0 && (equals < 0 || file < equals)) state.isDataOpen = true
  else if (equals <= 0) state.data.push(urlEncoded(value.slice(equals + 1)))
  else state.data.push(`${value.slice(0, equals)}=${urlEncoded(value.slice(equals + 1))}`)
}

const takeForm = (state: CurlState, value: string, mayBeFile: boolean): void => {
  state.hasForm = true
  const equals = value.indexOf("=")
  if (equals <= 0) {
    state.isDataOpen = true
    return
  }
  const text = value.slice(equals + 1)
  const isFile = mayBeFile && /^[@<]/.test(text)
  state.form.push({
    name: value.slice(0, equals),
    value: isFile ? OPEN : sentText(mayBeFile ? text.replace(/;type=[^;]*$/, "") : text)
  })
}

const finished = (state: CurlState): ReadonlyArray<ShownCall> => {
  const { call, urls } = state
  const method = state.method ?? defaultMethod(state)
  if (!METHOD.test(method) || urls.length === 0) return []
  call.method = method.toUpperCase()
  if (state.isJson && headerText(call, "content-type") === null)
    call.headers.push({ name: "Content-Type", value: sentText("application/json") })
  const data = state.data.join("&")
  if (state.inQuery) {
    if (data !== "") call.query = joined(call.query, queryOf(data))
    if (state.isDataOpen) call.query = { ...call.query, open: true }
  } else call.body = bodyOf(state, data)
  if (state.strays > 0) {
    call.areHeadersOpen = true
    call.query = { ...call.query, open: true }
    call.body = { _tag: "Open" }
  }
  return urls.map((url) => calls(call, url))
}

const defaultMethod = (state: CurlState): string => {
  if (state.isHead) return "HEAD"
  if (state.inQuery) return "GET"
  if (state.isUpload) return "PUT"
  return state.data.length > 0 || state.isDataOpen || state.hasForm ? "POST" : "GET"
}

const bodyOf = (state: CurlState, data: string): SentBody => {
  if (state.hasForm) return { _tag: "Form", sent: { fields: state.form, open: state.isDataOpen } }
  if (state.isDataOpen || state.isUpload) return { _tag: "Open" }
  if (state.data.length === 0) return { _tag: "None" }
  return bodyOfText(data, headerText(state.call, "content-type"))
}
