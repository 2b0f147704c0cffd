import {
  addAll,
  type CallPlace,
  type ClientRules,
  formatted,
  given as set,
  methodOf,
  request,
  setEntry
} from "../code/ClientRules.ts"
import { asDict, type CodeValue, type Dict, dict, textValue, UNKNOWN } from "../code/CodeValue.ts"
import { C_LIKE, type Syntax } from "../code/Tokens.ts"

const GO: Syntax = { ...C_LIKE, strings: { ...C_LIKE.strings, backticks: true }, firstOfMany: true }

const made = (
  method: string | null,
  address: CodeValue | undefined,
  body: CodeValue | undefined,
  place: CallPlace
): CodeValue => {
  const begun = place.begin("go")
  begun.method = method
  begun.address = address ?? UNKNOWN
  begun.body = set(body)
  return request(begun)
}

/** Values of a form or query are lists, of which the first is mostly the only one. */
const single = (values: Dict): Dict =>
  dict(
    values.entries.map(([name, value]) => [
      name,
      value._tag === "List" && value.items.length === 1 ? (value.items[0] ?? UNKNOWN) : value
    ]),
    values.open
  )

/** Functions that give a reader or the bytes of a text. */
const READERS = new Set([
  "strings.NewReader",
  "bytes.NewReader",
  "bytes.NewBuffer",
  "bytes.NewBufferString",
  "[]byte",
  "string"
])

const callFunction: ClientRules["callFunction"] = (path, given, place) => {
  const [first, second, third, fourth] = given.positional
  if (READERS.has(path)) return first
  switch (path) {
    case "http.NewRequest":
      return made(methodOf(first), second, third, place)
    case "http.NewRequestWithContext":
      return made(methodOf(second), third, fourth, place)
    case "http.Get":
      return made("GET", first, undefined, place)
    case "http.Head":
      return made("HEAD", first, undefined, place)
    case "http.Post":
      return posted(first, second, third, place)
    case "http.PostForm":
      return made("POST", first, { _tag: "Form", sent: single(asDict(second)) }, place)
    case "fmt.Sprintf":
      return first?._tag === "Text"
        ? formatted(first.text, { ...given, positional: given.positional.slice(1) })
        : undefined
    case "json.Marshal":
    case "json.MarshalIndent":
      return first === undefined ? undefined : { _tag: "Json", value: first }
    case "url.Parse":
      return first === undefined ? undefined : { _tag: "Url", text: first, query: dict() }
    default:
      return undefined
  }
}

const posted = (
  address: CodeValue | undefined,
  type: CodeValue | undefined,
  body: CodeValue | undefined,
  place: CallPlace
): CodeValue => {
  const sent = made("POST", address, body, place)
  if (sent._tag === "Request" && type !== undefined) setEntry(sent.request.headers, "Content-Type", type)
  return sent
}

const callMethod: ClientRules["callMethod"] = (receiver, name, { positional }) => {
  if (receiver._tag === "Request" && name === "SetBasicAuth")
    setEntry(receiver.request.headers, "Authorization", UNKNOWN)
  if (receiver._tag === "Url" && name === "Query") return receiver.query
  const [first, second] = positional
  if (receiver._tag === "Dict" && name === "Encode") return { _tag: "Form", sent: single(receiver) }
  if (receiver._tag === "Dict" && name === "Del") receiver.open = true
  if (receiver._tag === "Dict" && name === "Add" && first?._tag === "Text" && second !== undefined) {
    receiver.entries.push([first.text, second])
    return receiver
  }
  return undefined
}

const METHOD = /^http\.Method(Get|Post|Put|Patch|Delete|Head|Options)$/

/** The client of Go's standard library. */
export const GO_CLIENT: ClientRules = {
  syntax: GO,
  callFunction,
  callMethod,
  member: (receiver, name) => {
    if (receiver._tag !== "Request") return undefined
    if (name === "Header") return receiver.request.headers
    return name === "URL" ? { _tag: "Url", text: receiver.request.address, query: receiver.request.query } : undefined
  },
  named: (path) => {
    const method = METHOD.exec(path)?.[1]
    if (method !== undefined) return textValue(method.toUpperCase())
    return path === "http.NoBody" ? { _tag: "Literal", value: null } : undefined
  },
  assign: (receiver, name, value) => {
    // The values that the query was read into are the query itself.
    if (receiver._tag !== "Url" || name !== "RawQuery") return
    if (value._tag !== "Form") receiver.query.open = true
    else if (value.sent !== receiver.query) addAll(receiver.query, withoutThose(value.sent, receiver.query))
  }
}

const withoutThose = (sent: Dict, there: Dict): Dict =>
  dict(
    sent.entries.filter(([name]) => !there.entries.some(([known]) => known === name)),
    sent.open
  )
