import {
  addAll,
  below,
  type CallArguments,
  type CallPlace,
  client,
  type ClientRules,
  formatted,
  given as set,
  methodOf,
  request,
  sendBy,
  setEntry
} from "../code/ClientRules.ts"
import {
  asDict,
  type CodeClient,
  type CodeRequest,
  type CodeValue,
  dict,
  textValue,
  UNKNOWN
} from "../code/CodeValue.ts"
import { C_LIKE, type Syntax } from "../code/Tokens.ts"

const CSHARP: Syntax = {
  ...C_LIKE,
  strings: { ...C_LIKE.strings, replaced: "prefix", triple: true, prefixes: "$@", rawPrefixes: "@" }
}

const CALLS = /^(Get|Post|Put|Patch|Delete)(?:String|Stream|ByteArray|FromJson|AsJson)?Async$/

const begun = (method: string | null, address: CodeValue | undefined, place: CallPlace): CodeRequest => {
  const made = place.begin("csharp")
  made.method = method
  made.address = address ?? UNKNOWN
  return made
}

/** A method of `HttpClient` that is named after the HTTP method. */
const sent = (
  by: CodeClient,
  name: string,
  { positional: [address, body] }: CallArguments,
  place: CallPlace
): CodeValue | undefined => {
  const method = CALLS.exec(name)?.[1]?.toUpperCase()
  if (method === undefined) return undefined
  const made = begun(method, UNKNOWN, place)
  sendBy(made, by, address ?? UNKNOWN, "resolved")
  if (method !== "GET" && method !== "DELETE") {
    const content = set(body)
    made.body = name.includes("AsJson") && content !== null ? { _tag: "Json", value: content } : content
  }
  return request(made)
}

const isMethod = (value: CodeValue | undefined): boolean =>
  value?._tag === "Text" && /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(value.text)

/** A request of RestSharp has a path below its client's address, or none: then it is the client's own. */
const restRequest = ({ positional: [first, second] }: CallArguments, place: CallPlace): CodeValue => {
  const [path, method] = isMethod(first) && second === undefined ? [undefined, first] : [first, second]
  return request(begun(method === undefined ? "GET" : methodOf(method), path ?? textValue(""), place))
}

const JSON_WRITERS = new Set([
  "JsonSerializer.Serialize",
  "JsonConvert.SerializeObject",
  "System.Text.Json.JsonSerializer.Serialize",
  "JsonContent.Create"
])

const callFunction: ClientRules["callFunction"] = (path, given, place) => {
  const [first, second] = given.positional
  if (JSON_WRITERS.has(path)) return first === undefined ? undefined : { _tag: "Json", value: first }
  switch (path.slice(path.lastIndexOf(".") + 1)) {
    case "HttpClient":
      return { _tag: "Client", client: client("csharp", null) }
    case "RestClient":
      return { _tag: "Client", client: client("csharp", first ?? UNKNOWN) }
    case "RestClientOptions":
      return first
    case "HttpRequestMessage":
      return request(begun(first === undefined ? null : methodOf(first), second, place))
    case "RestRequest":
      return restRequest(given, place)
    case "HttpMethod":
      return first
    case "StringContent":
      return first
    case "FormUrlEncodedContent":
      return { _tag: "Form", sent: asDict(first) }
    case "MultipartFormDataContent":
      return { _tag: "Form", sent: dict([], true) }
    case "AuthenticationHeaderValue":
    case "MediaTypeWithQualityHeaderValue":
      return UNKNOWN
    case "KeyValuePair":
      return { _tag: "List", items: [...given.positional], open: false }
    case "Format":
      return first?._tag === "Text" && path.toLowerCase() === "string.format"
        ? formatted(first.text, { ...given, positional: given.positional.slice(1) })
        : undefined
    default:
      return undefined
  }
}

const REST_CALLS = /^(?:Execute|Get|Post|Put|Patch|Delete)(?:Async)?$/

const sentBy = (by: CodeClient, name: string, made: CodeRequest): void => {
  const verb = /^(Get|Post|Put|Patch|Delete)(?:Async)?$/.exec(name)?.[1]
  if (verb !== undefined) made.method = verb.toUpperCase()
  made.address = below(by.base, made.address, "appended")
  addAll(made.headers, by.headers)
  addAll(made.query, by.query)
}

const tell = (made: CodeRequest, name: string, { positional: [first, second, third] }: CallArguments): void => {
  const pair = first?._tag === "Text" && second !== undefined ? ([first.text, second] as const) : null
  switch (name) {
    case "AddHeader":
    case "AddOrUpdateHeader":
      if (pair === null) made.headers.open = true
      else setEntry(made.headers, ...pair)
      return
    case "AddQueryParameter":
      if (pair === null) made.query.open = true
      else setEntry(made.query, ...pair)
      return
    case "AddParameter":
      return addParameter(made, pair, third)
    case "AddJsonBody":
      made.body = first === undefined ? UNKNOWN : first._tag === "Text" ? first : { _tag: "Json", value: first }
      return
    case "AddBody":
    case "AddStringBody":
      made.body = first ?? UNKNOWN
      return
    default:
  }
}

/** A parameter of RestSharp goes to the query or the form by the method; of type `RequestBody` it is the body. */
const addParameter = (
  made: CodeRequest,
  pair: readonly [string, CodeValue] | null,
  type: CodeValue | undefined
): void => {
  if (type?._tag === "Unknown" && type.path?.endsWith("RequestBody") === true) made.body = pair?.[1] ?? UNKNOWN
  else if (pair === null || type !== undefined) {
    made.query.open = true
    made.headers.open = true
    made.body ??= UNKNOWN
  } else if (made.method === "POST" || made.method === "PUT" || made.method === "PATCH") {
    const form = made.body?._tag === "Form" ? made.body.sent : dict()
    setEntry(form, ...pair)
    made.body = { _tag: "Form", sent: form }
  } else setEntry(made.query, ...pair)
}

const callMethod: ClientRules["callMethod"] = (receiver, name, given, place) => {
  const [first] = given.positional
  if (receiver._tag === "Request") {
    tell(receiver.request, name, given)
    return receiver
  }
  if (receiver._tag !== "Client") return undefined
  if (first?._tag === "Request" && (REST_CALLS.test(name) || name === "SendAsync" || name === "Send")) {
    sentBy(receiver.client, name, first.request)
    return first
  }
  if (name === "AddDefaultHeader" && first?._tag === "Text")
    setEntry(receiver.client.headers, first.text, given.positional[1] ?? UNKNOWN)
  return sent(receiver.client, name, given, place)
}

const METHOD =
  /^(?:System\.Net\.Http\.)?HttpMethod\.(Get|Post|Put|Patch|Delete|Head|Options)$|^(?:RestSharp\.)?Method\.(Get|Post|Put|Patch|Delete|Head|Options|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/

/** The clients of .NET: `HttpClient` and RestSharp. */
export const CSHARP_CLIENTS: ClientRules = {
  syntax: CSHARP,
  callFunction,
  callMethod,
  member: (receiver, name) => {
    if (receiver._tag === "Client" && name === "DefaultRequestHeaders") return receiver.client.headers
    return receiver._tag === "Request" && name === "Headers" ? receiver.request.headers : undefined
  },
  named: (path) => {
    const [, http, rest] = METHOD.exec(path) ?? []
    const method = http ?? rest
    return method === undefined ? undefined : textValue(method.toUpperCase())
  },
  assign: (receiver, name, value) => {
    if (receiver._tag === "Client") {
      if (name === "BaseAddress" || name === "BaseUrl") receiver.client.base = value
      return
    }
    if (receiver._tag !== "Request") return
    const { request: made } = receiver
    if (name === "Method") made.method = methodOf(value)
    else if (name === "RequestUri") made.address = value
    else if (name === "Content") made.body = set(value)
    else if (name === "Headers") addAll(made.headers, asDict(value))
  }
}
