import {
  addAll,
  type CallArguments,
  type CallPlace,
  type ClientRules,
  formatted,
  given as set,
  methodOf,
  pairs,
  request,
  setEntry,
  verbOf
} from "../code/ClientRules.ts"
import { asDict, type CodeRequest, type CodeValue, type Dict, dict, UNKNOWN } from "../code/CodeValue.ts"
import { C_LIKE, type Syntax } from "../code/Tokens.ts"

const JAVA: Syntax = { ...C_LIKE, strings: { ...C_LIKE.strings, triple: true } }

const KOTLIN: Syntax = { ...C_LIKE, strings: { ...C_LIKE.strings, replaced: "dollar", triple: true } }

const NO_BODY: CodeValue = { _tag: "Literal", value: null }

const begun = (place: CallPlace, address: CodeValue | undefined, method: string): CodeValue => {
  const made = place.begin("java")
  made.method = method
  made.address = address ?? UNKNOWN
  return request(made)
}

const MAKES_DICT =
  /^(?:\w+\.)*(?:HashMap|LinkedHashMap|TreeMap|JSONObject|JsonObject|FormBody\.Builder|MultipartBody\.Builder|mutableMapOf)$/

/** The body is the one of two arguments that is no media type. */
const bodyAmong = (values: ReadonlyArray<CodeValue>): CodeValue =>
  values.find(
    (value) => value._tag === "Json" || (value._tag === "Text" && !/^[\w.+-]+\/[\w.+-]+(?:;|$)/.test(value.text))
  ) ?? UNKNOWN

const callFunction: ClientRules["callFunction"] = (path, given, place) => {
  const [first] = given.positional
  if (MAKES_DICT.test(path)) return dict([], first !== undefined && first._tag !== "Literal")
  const name = path.slice(path.lastIndexOf(".") + 1)
  const by = /^(?:kong\.unirest\.)?Unirest\.(\w+)$/.exec(path)?.[1]
  const method = by === undefined ? null : verbOf(by)
  if (method !== null) return begun(place, first, method)
  switch (path) {
    case "HttpRequest.newBuilder":
    case "java.net.http.HttpRequest.newBuilder":
    case "Request.Builder":
    case "okhttp3.Request.Builder":
      return begun(place, first, "GET")
    case "String.format":
      return first?._tag === "Text"
        ? formatted(first.text, { ...given, positional: given.positional.slice(1) })
        : undefined
    case "Map.of":
      return pairs(given.positional)
    case "RequestBody.create":
      return bodyAmong(given.positional)
    case "MediaType.parse":
    case "MediaType.get":
      return first
    default:
  }
  if (path.startsWith(".") || !/(?:^|\.)BodyPublishers\./.test(path)) return undefined
  return name === "noBody" ? NO_BODY : name === "ofString" ? first : undefined
}

/** What builders of requests are told: of `java.net.http`, OkHttp and Unirest. */
const tell = (made: CodeRequest, name: string, { positional }: CallArguments): boolean => {
  const [first, second] = positional
  const verb = /^(?:GET|POST|PUT|DELETE)$/.test(name) ? name : verbOf(name)
  if (verb !== null) {
    made.method = verb
    made.body = set(first) ?? made.body
    return true
  }
  switch (name) {
    case "uri":
    case "url":
      made.address = first ?? UNKNOWN
      return true
    case "method":
      made.method = methodOf(first)
      made.body = set(second)
      return true
    case "header":
    case "addHeader":
    case "setHeader":
      addPair(made.headers, first, second)
      return true
    case "headers":
      addAll(made.headers, positional.length === 1 ? asDict(first) : pairs(positional))
      return true
    case "queryString":
      if (positional.length === 1) addAll(made.query, asDict(first))
      else addPair(made.query, first, second)
      return true
    case "body":
      made.body = first ?? UNKNOWN
      return true
    case "field":
    case "fields":
      made.body = field(made.body, first, second)
      return true
    case "basicAuth":
      setEntry(made.headers, "Authorization", UNKNOWN)
      return true
    default:
      return KEEPS.has(name)
  }
}

/** What changes nothing that is sent, or sends it. */
const KEEPS = new Set(
  "build timeout version expectContinue cacheControl tag asJson asString asObject asEmpty accept routeParam".split(" ")
)

const addPair = (to: Dict, name: CodeValue | undefined, value: CodeValue | undefined): void => {
  if (name?._tag === "Text" && value !== undefined) setEntry(to, name.text, value)
  else to.open = true
}

const field = (body: CodeValue | null, name: CodeValue | undefined, value: CodeValue | undefined): CodeValue => {
  const form: CodeValue = body?._tag === "Form" ? body : { _tag: "Form", sent: dict() }
  if (value === undefined) addAll(form.sent, asDict(name))
  else addPair(form.sent, name, value)
  return form
}

const callMethod: ClientRules["callMethod"] = (receiver, name, given) => {
  const [first, second] = given.positional
  if (receiver._tag === "Request") return tell(receiver.request, name, given) ? receiver : UNKNOWN
  if (name === "toRequestBody") return receiver
  if (receiver._tag !== "Dict") return undefined
  if (name === "addFormDataPart") {
    addPair(receiver, first, second)
    if (given.positional.length > 2) receiver.open = true
    return receiver
  }
  if (name === "setType") return receiver
  // A builder of a form is built, and an object is written as JSON.
  if (name === "build") return { _tag: "Form", sent: receiver }
  return name === "toString" ? { _tag: "Json", value: receiver } : undefined
}

const rules: Omit<ClientRules, "syntax"> = {
  callFunction,
  callMethod,
  member: () => undefined,
  named: () => undefined,
  assign: () => {}
}

/** The clients of Java: `java.net.http`, OkHttp and Unirest. */
export const JAVA_CLIENTS: ClientRules = { ...rules, syntax: JAVA }

/** The same, as Kotlin calls them. */
export const KOTLIN_CLIENTS: ClientRules = { ...rules, syntax: KOTLIN }
