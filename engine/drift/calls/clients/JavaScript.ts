import {
  addAll,
  below,
  type CallArguments,
  type CallPlace,
  client,
  type ClientRules,
  given,
  methodOf,
  oneOf,
  request,
  sendBy,
  setEntry,
  verbOf
} from "../code/ClientRules.ts"
import {
  addressText,
  asDict,
  type CodeClient,
  type CodeRequest,
  type CodeValue,
  type Dict,
  dict,
  textValue,
  UNKNOWN,
  type UrlValue
} from "../code/CodeValue.ts"
import { queryOf } from "../../ShownCall.ts"
import { C_LIKE, type Syntax } from "../code/Tokens.ts"

const JAVASCRIPT: Syntax = {
  ...C_LIKE,
  strings: { ...C_LIKE.strings, replaced: "template", backticks: true },
  regexLiterals: true,
  braces: "object"
}

/** `fetch(url, { method, headers, body })`. Options that are not known may say another method. */
const fetched = ({ open, positional: [address = UNKNOWN, options] }: CallArguments, place: CallPlace): CodeValue => {
  if (address._tag === "Request") return address
  const made = place.begin("fetch")
  const set = asDict(options)
  const method = oneOf(set, "method")
  made.method = method === undefined ? (set.open || open ? null : "GET") : methodOf(method)
  made.address = address
  made.headers = asDict(oneOf(set, "headers"))
  made.body = given(oneOf(set, "body")) ?? (set.open ? UNKNOWN : null)
  made.headers.open ||= set.open
  return request(made)
}

/** Takes what axios is told of a request. */
const configure = (made: CodeRequest, by: CodeClient, address: CodeValue, config: Dict): void => {
  const base = oneOf(config, "baseURL")
  sendBy(made, base === undefined ? by : { ...by, base }, address, "appended")
  addAll(made.headers, asDict(oneOf(config, "headers")))
  addAll(made.query, asDict(oneOf(config, "params")))
  if (oneOf(config, "auth") !== undefined) setEntry(made.headers, "Authorization", UNKNOWN)
  // What is below the base of all calls has headers that are set for all.
  const isBelowDefault = by.base === null && base === undefined && (addressText(address) ?? "").startsWith("/")
  made.headers.open ||= config.open || isBelowDefault
  made.query.open ||= config.open
  made.body ??= given(oneOf(config, "data")) ?? (config.open ? UNKNOWN : null)
}

const bare = (): CodeClient => client("axios", null)

/** `axios({ method, url, … })` and `axios(url, { … })`. */
const requested = (
  by: CodeClient,
  { open, positional: [first, second] }: CallArguments,
  place: CallPlace
): CodeValue => {
  const made = place.begin("axios")
  const config = asDict(first?._tag === "Dict" ? first : second)
  const method = oneOf(config, "method")
  made.method = method === undefined ? (config.open || open ? null : "GET") : methodOf(method)
  configure(made, by, (first?._tag === "Dict" ? oneOf(config, "url") : first) ?? UNKNOWN, config)
  return request(made)
}

const HAS_DATA = new Set(["POST", "PUT", "PATCH"])

const shortened = (
  by: CodeClient,
  method: string,
  { open, positional: [address = UNKNOWN, second, third] }: CallArguments,
  place: CallPlace
): CodeValue => {
  const made = place.begin("axios")
  made.method = method
  if (HAS_DATA.has(method)) made.body = given(second)
  const config = asDict(HAS_DATA.has(method) ? third : second)
  configure(made, by, address, open ? dict(config.entries, true) : config)
  return request(made)
}

const created = ({ positional: [options] }: CallArguments): CodeValue => {
  const config = asDict(options)
  const made = client("axios", oneOf(config, "baseURL") ?? (config.open ? UNKNOWN : null))
  addAll(made.headers, asDict(oneOf(config, "headers")))
  addAll(made.query, asDict(oneOf(config, "params")))
  made.headers.open ||= config.open
  return { _tag: "Client", client: made }
}

/** What `URLSearchParams`, `FormData` and `Headers` are made of. */
const fieldsOf = (value: CodeValue | undefined): Dict => {
  if (value?._tag === "Text") {
    const { fields, open } = queryOf(value.text.replace(/^\?/, ""))
    return dict(
      fields.map(({ name, value: sent }) => [name, sent._tag === "Known" ? textValue(String(sent.value)) : UNKNOWN]),
      open
    )
  }
  if (value?._tag !== "List") return asDict(value)
  const made = dict([], value.open)
  for (const item of value.items) {
    const [name, entry] = item._tag === "List" ? item.items : []
    if (name?._tag === "Text" && entry !== undefined) made.entries.push([name.text, entry])
    else made.open = true
  }
  return made
}

const urlOf = ({ positional: [address = UNKNOWN, base] }: CallArguments): UrlValue => ({
  _tag: "Url",
  text: base === undefined ? address : below(base, address, "resolved"),
  query: dict()
})

const callFunction: ClientRules["callFunction"] = (path, given, place) => {
  const [first] = given.positional
  switch (path) {
    case "fetch":
    case "window.fetch":
    case "globalThis.fetch":
    case "Request":
      return fetched(given, place)
    case "axios":
    case "axios.request":
      return requested(bare(), given, place)
    case "axios.create":
    case "axios.default.create":
      return created(given)
    case "JSON.stringify":
      return first === undefined ? undefined : { _tag: "Json", value: first }
    case "URLSearchParams":
    case "FormData":
    case "qs.stringify":
    case "querystring.stringify":
      return { _tag: "Form", sent: fieldsOf(first) }
    case "Headers":
      return fieldsOf(first)
    case "URL":
      return urlOf(given)
    case "Object.assign":
      return mergedOf(given)
    default:
  }
  const method = path.startsWith("axios.") ? verbOf(path.slice("axios.".length)) : null
  return method === null ? undefined : shortened(bare(), method, given, place)
}

const mergedOf = ({ positional }: CallArguments): Dict => {
  const made = dict()
  for (const value of positional) addAll(made, asDict(value))
  return made
}

const callMethod: ClientRules["callMethod"] = (receiver, name, given, place) => {
  if (receiver._tag !== "Client") return undefined
  if (name === "request") return requested(receiver.client, given, place)
  const method = verbOf(name)
  return method === null ? undefined : shortened(receiver.client, method, given, place)
}

/** The clients of fetch and axios in JavaScript and TypeScript. */
export const JAVASCRIPT_CLIENTS: ClientRules = {
  syntax: JAVASCRIPT,
  callFunction,
  callMethod,
  member: (receiver, name) =>
    receiver._tag === "Url" && name === "searchParams"
      ? { _tag: "Form", sent: receiver.query }
      : receiver._tag === "Url" && name === "href"
        ? receiver
        : undefined,
  named: () => undefined,
  assign: (receiver, name, value) => {
    if (receiver._tag === "Url" && name === "search") addAll(receiver.query, fieldsOf(value))
    if (receiver._tag === "Client") receiver.client.headers.open = true
  }
}
