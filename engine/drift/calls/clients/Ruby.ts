import {
  addAll,
  below,
  type CallArguments,
  type CallPlace,
  client,
  type ClientRules,
  given as set,
  methodOf,
  oneOf,
  request,
  sendBy,
  setEntry,
  verbOf
} from "../code/ClientRules.ts"
import { addressText, asDict, type CodeClient, type CodeValue, type Dict, dict, UNKNOWN } from "../code/CodeValue.ts"
import { C_LIKE, type Syntax } from "../code/Tokens.ts"

const RUBY: Syntax = {
  ...C_LIKE,
  lineComments: ["#"],
  blockComments: false,
  strings: { ...C_LIKE.strings, replaced: "hash", plainSingle: true, hereDocument: "<<", multiline: true },
  arrows: true,
  braces: "object",
  bareCalls: true
}

const NET_REQUEST = /^Net\.HTTP\.(Get|Post|Put|Patch|Delete|Head|Options)\.new$/

const begun = (method: string | null, address: CodeValue, place: CallPlace) => {
  const made = place.begin("ruby")
  made.method = method
  made.address = address
  return made
}

/** A path alone is called on a host that is shown elsewhere, so that nothing can be said of it. */
const netRequest = (method: string, { positional: [address, headers] }: CallArguments, place: CallPlace): CodeValue => {
  const text = address === undefined ? null : addressText(address)
  const made = begun(method, text === null || text.startsWith("/") ? UNKNOWN : (address ?? UNKNOWN), place)
  made.headers = asDict(headers)
  return request(made)
}

const netFunction = (
  name: string,
  { positional: [address, second, third] }: CallArguments,
  place: CallPlace
): CodeValue | undefined => {
  const made = (method: string) => begun(method, address ?? UNKNOWN, place)
  if (name === "get" || name === "get_response") {
    if (address?._tag !== "Url" && !/^https?:/.test((address && addressText(address)) ?? "")) return undefined
    const got = made("GET")
    got.headers = asDict(second)
    return request(got)
  }
  if (name === "post") {
    const posted = made("POST")
    posted.body = set(second)
    posted.headers = asDict(third)
    return request(posted)
  }
  if (name !== "post_form") return undefined
  const posted = made("POST")
  posted.body = { _tag: "Form", sent: asDict(second) }
  return request(posted)
}

/** Options by name, in brackets of their own or not. */
const optionsOf = ({ named, open, positional }: CallArguments, from: number): Dict => {
  const last = positional[from]
  return last === undefined ? dict(named.entries, named.open || open) : asDict(last)
}

const party = (method: string, given: CallArguments, by: CodeClient, place: CallPlace): CodeValue => {
  const options = optionsOf(given, 1)
  const made = begun(method, UNKNOWN, place)
  sendBy(made, by, given.positional[0] ?? UNKNOWN, "appended")
  addAll(made.headers, asDict(oneOf(options, "headers")))
  addAll(made.query, asDict(oneOf(options, "query")))
  if (oneOf(options, "basic_auth") !== undefined) setEntry(made.headers, "Authorization", UNKNOWN)
  made.body = set(oneOf(options, "body")) ?? (options.open ? UNKNOWN : null)
  made.bodyForm = "form"
  made.headers.open ||= options.open
  made.query.open ||= options.open
  return request(made)
}

/** RestClient takes the query among the headers, and names headers with underscores. */
const addRestHeaders = (headers: Dict, query: Dict, from: Dict): void => {
  addAll(query, asDict(oneOf(from, "params")))
  headers.open ||= from.open
  for (const [name, value] of from.entries)
    if (name !== "params") setEntry(headers, /^[a-z_]+$/.test(name) ? headerName(name) : name, value)
}

const headerName = (symbol: string): string =>
  symbol
    .split("_")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("-")

const restClient = (method: string, given: CallArguments, place: CallPlace): CodeValue => {
  const hasBody = method === "POST" || method === "PUT" || method === "PATCH"
  const made = begun(method, given.positional[0] ?? UNKNOWN, place)
  made.bodyForm = "form"
  if (hasBody) made.body = set(given.positional[1])
  addRestHeaders(made.headers, made.query, optionsOf(given, hasBody ? 2 : 1))
  return request(made)
}

const executed = (given: CallArguments, place: CallPlace): CodeValue => {
  const options = optionsOf(given, 0)
  const made = begun(methodOf(oneOf(options, "method")), oneOf(options, "url") ?? UNKNOWN, place)
  made.bodyForm = "form"
  made.body = set(oneOf(options, "payload"))
  addRestHeaders(made.headers, made.query, asDict(oneOf(options, "headers")))
  return request(made)
}

const faraday = (
  by: CodeClient,
  method: string,
  { positional: [address, second, third] }: CallArguments,
  place: CallPlace
): CodeValue => {
  const hasBody = method === "POST" || method === "PUT" || method === "PATCH"
  const made = begun(method, UNKNOWN, place)
  sendBy(made, by, address ?? UNKNOWN, "appended")
  made.bodyForm = "form"
  if (hasBody) made.body = set(second)
  else addAll(made.query, asDict(second))
  addAll(made.headers, asDict(third))
  return request(made)
}

const connected = (given: CallArguments): CodeValue => {
  const [first] = given.positional
  const options = first?._tag === "Dict" ? first : given.named
  const made = client("ruby", first !== undefined && first._tag !== "Dict" ? first : (oneOf(options, "url") ?? null))
  addAll(made.headers, asDict(oneOf(options, "headers")))
  addAll(made.query, asDict(oneOf(options, "params")))
  return { _tag: "Client", client: made }
}

const callFunction: ClientRules["callFunction"] = (path, given, place) => {
  const [first, second] = given.positional
  const net = NET_REQUEST.exec(path)?.[1]
  if (net !== undefined) return netRequest(net.toUpperCase(), given, place)
  const [, library = "", name = ""] = /^(Net\.HTTP|HTTParty|RestClient|Faraday)\.(\w+)$/.exec(path) ?? []
  const verb = verbOf(name)
  if (library === "Net.HTTP") return netFunction(name, given, place)
  if (library === "HTTParty" && verb !== null) return party(verb, given, client("ruby", null), place)
  if (library === "RestClient" && verb !== null) return restClient(verb, given, place)
  if (library === "Faraday" && verb !== null) return faraday(client("ruby", null), verb, given, place)
  switch (path) {
    case "URI":
    case "URI.parse":
      return first === undefined ? undefined : { _tag: "Url", text: first, query: dict() }
    case "URI.join":
      return first === undefined || second === undefined ? undefined : below(first, second, "resolved")
    case "URI.encode_www_form":
      return { _tag: "Form", sent: first === undefined ? given.named : asDict(first) }
    case "JSON.generate":
    case "JSON.dump":
      return { _tag: "Json", value: first ?? given.named }
    case "Faraday.new":
      return connected(given)
    case "RestClient.Request.execute":
      return executed(given, place)
    default:
      return undefined
  }
}

const callMethod: ClientRules["callMethod"] = (receiver, name, given, place) => {
  const [first] = given.positional
  if (receiver._tag === "Client") {
    const method = verbOf(name)
    return method === null ? undefined : faraday(receiver.client, method, given, place)
  }
  if (receiver._tag !== "Request") return undefined
  const { request: made } = receiver
  if (name === "basic_auth") setEntry(made.headers, "Authorization", UNKNOWN)
  if (name === "set_form_data") made.body = { _tag: "Form", sent: first === undefined ? given.named : asDict(first) }
  if (name === "url" && first !== undefined) made.address = first
  if (name === "add_field" && first?._tag === "Text") setEntry(made.headers, first.text, given.positional[1] ?? UNKNOWN)
  return receiver
}

/** The clients of Ruby: `Net::HTTP`, Faraday, HTTParty and RestClient. */
export const RUBY_CLIENTS: ClientRules = {
  syntax: RUBY,
  callFunction,
  callMethod,
  member: (receiver, name) => {
    if (receiver._tag === "Url") return name === "request_uri" || name === "to_s" ? receiver : undefined
    if (name === "to_json" && (receiver._tag === "Dict" || receiver._tag === "List"))
      return { _tag: "Json", value: receiver }
    if (name === "to_query" && receiver._tag === "Dict") return { _tag: "Form", sent: receiver }
    if (receiver._tag === "Request" || receiver._tag === "Client") {
      const held = receiver._tag === "Request" ? receiver.request : receiver.client
      return name === "headers" ? held.headers : name === "params" ? held.query : undefined
    }
    return receiver._tag === "Text" && (name === "chomp" || name === "strip" || name === "freeze")
      ? receiver
      : undefined
  },
  named: () => undefined,
  assign: (receiver, name, value) => {
    if (receiver._tag === "Url" && name === "query") {
      if (value._tag === "Form") addAll(receiver.query, value.sent)
      else receiver.query.open = true
    }
    if (receiver._tag !== "Request") return
    const { request: made } = receiver
    if (name === "body") made.body = set(value)
    else if (name === "form_data") made.body = { _tag: "Form", sent: asDict(value) }
    else if (name === "content_type") setEntry(made.headers, "Content-Type", value)
    else if (name === "headers") addAll(made.headers, asDict(value))
    else if (name === "params") addAll(made.query, asDict(value))
  }
}
