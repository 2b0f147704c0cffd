import type { CallClient } from "../../ShownCall.ts"
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
import { asDict, type CodeClient, type CodeRequest, type CodeValue, dict, UNKNOWN } from "../code/CodeValue.ts"
import { C_LIKE, type Syntax } from "../code/Tokens.ts"

const PYTHON: Syntax = {
  ...C_LIKE,
  lineComments: ["#"],
  blockComments: false,
  strings: { ...C_LIKE.strings, replaced: "prefix", triple: true, prefixes: "rRbBfFuU", rawPrefixes: "rR" },
  braces: "object"
}

/** The body that keyword arguments make: `files` are sent in parts together with `data`. */
const bodyOf = (made: CodeRequest, { named, open }: CallArguments, data: CodeValue | undefined): void => {
  const json = set(oneOf(named, "json"))
  const form = set(oneOf(named, "data", "content") ?? data)
  if (json !== null) made.body = { _tag: "Json", value: json }
  else if (oneOf(named, "files") !== undefined)
    made.body = { _tag: "Form", sent: dict(form?._tag === "Dict" ? form.entries : [], true) }
  else if (form !== null) {
    made.body = form
    made.bodyForm = "form"
  } else if (open) made.body = UNKNOWN
}

/** Libraries take the query after the address in `get`, and the body in others. */
const send = (by: CodeClient, method: string | null, given: CallArguments, place: CallPlace): CodeValue => {
  const { named, open, positional } = given
  const isGeneral = method === null
  const made = place.begin(by.client)
  made.method = method ?? methodOf(positional[0] ?? oneOf(named, "method"))
  const [address, second] = isGeneral ? positional.slice(1) : positional
  sendBy(made, by, address ?? oneOf(named, "url") ?? UNKNOWN, "appended")
  const takesQuery = made.method === "GET" || isGeneral
  addAll(made.query, asDict(oneOf(named, "params") ?? (takesQuery ? second : undefined)))
  addAll(made.headers, asDict(oneOf(named, "headers")))
  if (oneOf(named, "auth") !== undefined) setEntry(made.headers, "Authorization", UNKNOWN)
  bodyOf(made, given, takesQuery ? undefined : second)
  made.query.open ||= open
  made.headers.open ||= open
  return request(made)
}

const opened = (kind: CallClient, { named, open }: CallArguments): CodeValue => {
  const base = oneOf(named, "base_url")
  const made = client(kind, base ?? (open ? UNKNOWN : null))
  addAll(made.headers, asDict(oneOf(named, "headers")))
  addAll(made.query, asDict(oneOf(named, "params")))
  if (oneOf(named, "auth") !== undefined) setEntry(made.headers, "Authorization", UNKNOWN)
  made.headers.open ||= open
  return { _tag: "Client", client: made }
}

const OPENS: Readonly<Record<string, CallClient>> = {
  "requests.Session": "requests",
  "requests.session": "requests",
  "requests.sessions.Session": "requests",
  "httpx.Client": "httpx",
  "httpx.AsyncClient": "httpx"
}

const callFunction: ClientRules["callFunction"] = (path, given, place) => {
  const opens = Object.hasOwn(OPENS, path) ? OPENS[path] : undefined
  if (opens !== undefined) return opened(opens, given)
  const [first, second] = given.positional
  const library = /^(requests|httpx)\.(\w+)$/.exec(path)
  if (library !== null) {
    const name = library[2] ?? ""
    const method = verbOf(name)
    const by = client(library[1] === "httpx" ? "httpx" : "requests", null)
    return method !== null || name === "request" ? send(by, method, given, place) : undefined
  }
  switch (path) {
    case "json.dumps":
      return first === undefined ? undefined : { _tag: "Json", value: first }
    case "dict":
      return dict(given.named.entries, given.open || first !== undefined)
    case "urlencode":
    case "parse.urlencode":
    case "urllib.parse.urlencode":
      return { _tag: "Form", sent: asDict(first) }
    case "urljoin":
    case "urllib.parse.urljoin":
    case "parse.urljoin":
      return first === undefined || second === undefined ? undefined : below(first, second, "resolved")
    default:
      return undefined
  }
}

const callMethod: ClientRules["callMethod"] = (receiver, name, given, place) => {
  if (receiver._tag !== "Client") return undefined
  const method = verbOf(name)
  return method !== null || name === "request" ? send(receiver.client, method, given, place) : undefined
}

/** The clients requests and httpx of Python, with their sessions. */
export const PYTHON_CLIENTS: ClientRules = {
  syntax: PYTHON,
  callFunction,
  callMethod,
  member: (receiver, name) => {
    if (receiver._tag !== "Client") return undefined
    return name === "headers" ? receiver.client.headers : name === "params" ? receiver.client.query : undefined
  },
  named: () => undefined,
  assign: (receiver, name, value) => {
    if (receiver._tag !== "Client") return
    if (name === "headers") addAll(receiver.client.headers, asDict(value))
    else if (name === "params") addAll(receiver.client.query, asDict(value))
    else if (name === "auth") setEntry(receiver.client.headers, "Authorization", UNKNOWN)
    else if (name === "base_url") receiver.client.base = value
  }
}
