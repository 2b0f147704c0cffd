import {
  addAll,
  type CallArguments,
  type CallPlace,
  client,
  type ClientRules,
  formatted,
  given as set,
  headerLine,
  methodOf,
  oneOf,
  request,
  sendBy,
  setEntry,
  textOf,
  verbOf
} from "../code/ClientRules.ts"
import {
  asDict,
  type CodeClient,
  type CodeRequest,
  type CodeValue,
  type Dict,
  dict,
  textValue,
  UNKNOWN
} from "../code/CodeValue.ts"
import { C_LIKE, type Syntax } from "../code/Tokens.ts"

const PHP: Syntax = {
  ...C_LIKE,
  lineComments: ["//", "#"],
  strings: { ...C_LIKE.strings, replaced: "dollar", plainSingle: true, hereDocument: "<<<", multiline: true },
  dotJoins: true,
  arrows: true
}

/** One option of the curl extension; what is not sent is passed over. */
const setOption = (made: CodeRequest, option: string, value: CodeValue): void => {
  const isOn = !(value._tag === "Literal" && (value.value === false || value.value === 0))
  switch (option) {
    case "CURLOPT_URL":
      made.address = value
      return
    case "CURLOPT_CUSTOMREQUEST":
      made.method = methodOf(value)
      return
    case "CURLOPT_POST":
      if (isOn && made.method === "GET") made.method = "POST"
      return
    case "CURLOPT_HTTPGET":
      if (isOn) made.method = "GET"
      return
    case "CURLOPT_PUT":
      if (isOn) made.method = "PUT"
      return
    case "CURLOPT_NOBODY":
      if (isOn) made.method = "HEAD"
      return
    case "CURLOPT_POSTFIELDS":
      made.body = set(value)
      made.bodyForm = "form"
      if (made.method === "GET") made.method = "POST"
      return
    case "CURLOPT_HTTPHEADER":
      addLines(made.headers, value)
      return
    case "CURLOPT_USERPWD":
      setEntry(made.headers, "Authorization", UNKNOWN)
      return
    default:
  }
}

/** Headers as a list of lines. */
const addLines = (headers: Dict, value: CodeValue): void => {
  if (value._tag !== "List") {
    headers.open = true
    return
  }
  headers.open ||= value.open
  for (const item of value.items) {
    const line = item._tag === "Text" ? headerLine(item.text) : null
    if (line === null) headers.open = true
    else setEntry(headers, ...line)
  }
}

/** What Guzzle is told of a request. */
const send = (
  by: CodeClient,
  method: string | null,
  address: CodeValue,
  options: Dict,
  place: CallPlace
): CodeValue => {
  const made = place.begin("php")
  made.method = method
  sendBy(made, by, address, "resolved")
  addAll(made.headers, asDict(oneOf(options, "headers")))
  const query = oneOf(options, "query")
  addAll(made.query, query?._tag === "Text" ? dict([], true) : asDict(query))
  if (oneOf(options, "auth") !== undefined) setEntry(made.headers, "Authorization", UNKNOWN)
  const json = set(oneOf(options, "json"))
  const form = set(oneOf(options, "form_params"))
  made.body = json === null ? form : { _tag: "Json", value: json }
  if (form !== null) made.bodyForm = "form"
  made.body ??= set(oneOf(options, "body"))
  if (oneOf(options, "multipart") !== undefined)
    made.body = { _tag: "Form", sent: partsOf(oneOf(options, "multipart")) }
  if (options.open) {
    made.headers.open = true
    made.query.open = true
    made.body ??= UNKNOWN
  }
  return request(made)
}

/** `[['name' => …, 'contents' => …]]`. */
const partsOf = (value: CodeValue | undefined): Dict => {
  const made = dict([], value?._tag !== "List" || value.open)
  for (const part of value?._tag === "List" ? value.items : []) {
    const name = part._tag === "Dict" ? oneOf(part, "name") : undefined
    if (name?._tag === "Text") setEntry(made, name.text, UNKNOWN)
    else made.open = true
  }
  return made
}

/** PHP's own `file_get_contents`, with what its context says of HTTP. */
const fetched = (address: CodeValue, context: CodeValue | undefined, place: CallPlace): CodeValue => {
  const made = place.begin("php")
  made.address = address
  const options = asDict(context === undefined ? undefined : oneOf(asDict(context), "http"))
  const isOpen = options.open || asDict(context).open
  const method = oneOf(options, "method")
  made.method = method === undefined ? (isOpen ? null : "GET") : methodOf(method)
  made.body = set(oneOf(options, "content"))
  const header = oneOf(options, "header")
  if (header?._tag === "Text") {
    const lines = header.text.split(/\r\n|\n|\\r\\n/).filter((line) => line.trim() !== "")
    addLines(made.headers, { _tag: "List", items: lines.map(textValue), open: false })
  } else if (header !== undefined) addLines(made.headers, header)
  return request(made)
}

/** Clients of other libraries have the same name, but no base of this name. */
const isGuzzle = (path: string, { positional: [options] }: CallArguments): boolean =>
  /(?:^|\.)GuzzleHttp\.Client$/.test(path) ||
  (path === "Client" && options?._tag === "Dict" && oneOf(options, "base_uri") !== undefined)

const opened = ({ positional: [options] }: CallArguments): CodeValue => {
  const config = asDict(options)
  const made = client("php", oneOf(config, "base_uri") ?? (config.open ? UNKNOWN : null))
  addAll(made.headers, asDict(oneOf(config, "headers")))
  made.headers.open ||= config.open
  return { _tag: "Client", client: made }
}

const ENCODES = new Set(["json_encode", "Utils.jsonEncode"])

const callFunction: ClientRules["callFunction"] = (path, given, place) => {
  const [first, second, third, fourth] = given.positional
  if (ENCODES.has(path)) return first === undefined ? undefined : { _tag: "Json", value: first }
  const name = path.slice(path.lastIndexOf(".") + 1)
  switch (name) {
    case "curl_init": {
      const made = place.begin("php")
      made.method = "GET"
      made.address = first ?? UNKNOWN
      return request(made)
    }
    case "curl_setopt":
      if (first?._tag === "Request" && second?._tag === "Unknown")
        setOption(first.request, second.path ?? "", third ?? UNKNOWN)
      return undefined
    case "curl_setopt_array":
      if (first?._tag === "Request")
        for (const [option, value] of asDict(second).entries) setOption(first.request, option, value)
      return undefined
    case "stream_context_create":
      return first
    case "file_get_contents":
      return /^https?:\/\//.test(textOf(first)) ? fetched(first ?? UNKNOWN, third, place) : undefined
    case "http_build_query":
      return { _tag: "Form", sent: asDict(first) }
    case "array":
      return arrayOf(given)
    case "sprintf":
      return first?._tag === "Text"
        ? formatted(first.text, { ...given, positional: given.positional.slice(1) })
        : undefined
    case "Client":
      return isGuzzle(path, given) ? opened(given) : undefined
    case "Request": {
      const made = send(client("php", null), methodOf(first), second ?? UNKNOWN, dict(), place)
      if (made._tag === "Request") {
        addAll(made.request.headers, asDict(third))
        made.request.body = set(fourth)
      }
      return made
    }
    case "request":
      // A client from elsewhere: the method and a whole address show that it is one.
      return methodOf(first) !== null && /^https?:\/\//.test(textOf(second))
        ? send(client("php", null), methodOf(first), second ?? UNKNOWN, asDict(third), place)
        : undefined
    default:
      return undefined
  }
}

/** `array('a' => 1)`, and `array('a', 'b')`. */
const arrayOf = ({ named, open, positional }: CallArguments): CodeValue =>
  named.entries.length > 0
    ? dict(named.entries, open || positional.length > 0)
    : { _tag: "List", items: [...positional], open }

const callMethod: ClientRules["callMethod"] = (receiver, name, { positional: [first, second, third] }, place) => {
  if (receiver._tag !== "Client") return undefined
  if ((name === "send" || name === "sendAsync") && first?._tag === "Request") {
    sendBy(first.request, receiver.client, first.request.address, "resolved")
    return first
  }
  if (name === "request" || name === "requestAsync")
    return send(receiver.client, methodOf(first), second ?? UNKNOWN, asDict(third), place)
  const method = verbOf(name.replace(/Async$/, ""))
  return method === null ? undefined : send(receiver.client, method, first ?? UNKNOWN, asDict(second), place)
}

/** The curl extension of PHP, and Guzzle. */
export const PHP_CLIENTS: ClientRules = {
  syntax: PHP,
  callFunction,
  callMethod,
  member: () => undefined,
  named: (path) => (path === "PHP_EOL" ? textValue("\n") : undefined),
  assign: () => {}
}
