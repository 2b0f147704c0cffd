import type { CallClient } from "../../ShownCall.ts"
import {
  addressText,
  asDict,
  type CodeClient,
  type CodeRequest,
  type CodeValue,
  type Dict,
  dict,
  isNothing,
  placeholderOf,
  textValue,
  UNKNOWN,
  within
} from "./CodeValue.ts"
import type { Syntax } from "./Tokens.ts"

/** What a function is given. */
export interface CallArguments {
  readonly positional: ReadonlyArray<CodeValue>
  readonly named: Dict
  /** More may be given than is listed. */
  readonly open: boolean
}

/** Where a call is, and how it begins a request. */
export interface CallPlace {
  readonly begin: (client: CallClient) => CodeRequest
}

/** How the clients of a language are called. What a rule does not know it gives `undefined` for. */
export interface ClientRules {
  readonly syntax: Syntax
  /** The value of a function or constructor; `path` has dots whatever the language has. */
  readonly callFunction: (path: string, given: CallArguments, place: CallPlace) => CodeValue | undefined
  readonly callMethod: (
    receiver: CodeValue,
    name: string,
    given: CallArguments,
    place: CallPlace
  ) => CodeValue | undefined
  /** A member that is read, and a name with dots whose value is known, such as `http.MethodPost`. */
  readonly member: (receiver: CodeValue, name: string) => CodeValue | undefined
  readonly named: (path: string) => CodeValue | undefined
  /** `receiver.name = value`. */
  readonly assign: (receiver: CodeValue, name: string, value: CodeValue) => void
}

export const entryOf = ({ entries }: Dict, name: string): CodeValue | undefined =>
  entries.find(([known]) => known === name)?.[1]

/** The first entry of one of the names. */
export const oneOf = (values: Dict, ...names: ReadonlyArray<string>): CodeValue | undefined =>
  values.entries.find(([name]) => names.includes(name))?.[1]

export const setEntry = ({ entries }: Dict, name: string, value: CodeValue): void => {
  const at = entries.findIndex(([known]) => known === name)
  if (at < 0) entries.push([name, value])
  else entries[at] = [name, value]
}

/** A dictionary may grow by itself: `d.update(d)` doubles it each time. */
const MOST_ENTRIES = 500

export const addAll = (to: Dict, from: Dict): void => {
  const added = [...from.entries]
  if (to.entries.length + added.length > MOST_ENTRIES) to.open = true
  else for (const [name, value] of added) setEntry(to, name, value)
  to.open ||= from.open
}

const ADDS = new Set("set add append put store Set Add Put header addHeader add_field addEncoded".split(" "))
const MERGES = new Set("update merge merge! putAll Merge assign".split(" "))
const GIVES_ITSELF = new Set(
  "toString String to_s strip trim Trim rstrip lstrip chomp encode getBytes bytes trimIndent trimMargin stripIndent build Build toURL href dup clone freeze squish text ToString href".split(
    " "
  )
)
const GIVES_FORM = new Set(["toString", "Encode", "encode", "to_query", "ToString"])
const GROWS = new Set(["push", "append", "add", "Add"])

/** What methods do that are the same for whichever client: they add entries and items, or give the value itself. */
export const commonMethod = (receiver: CodeValue, name: string, given: CallArguments): CodeValue | undefined => {
  const [first, second] = given.positional
  if (receiver._tag === "Dict" || receiver._tag === "Form") {
    const entries = receiver._tag === "Form" ? receiver.sent : receiver
    if (ADDS.has(name)) {
      if (first?._tag === "Text" && second !== undefined) setEntry(entries, first.text, second)
      else entries.open = true
      return receiver
    }
    if (MERGES.has(name)) {
      addAll(entries, asDict(first))
      addAll(entries, given.named)
      return receiver
    }
    if (name === "to_json") return { _tag: "Json", value: receiver }
    if (receiver._tag === "Dict" && GIVES_FORM.has(name)) return { _tag: "Form", sent: receiver }
    if ((name === "get" || name === "Get") && first?._tag === "Text") return entryOf(entries, first.text)
  }
  if (receiver._tag === "List") {
    if (name === "to_json") return { _tag: "Json", value: receiver }
    if (GROWS.has(name) && first !== undefined) {
      receiver.items.push(first)
      return receiver
    }
  }
  if (receiver._tag === "Text" && (name === "format" || name === "formatted")) return formatted(receiver.text, given)
  return GIVES_ITSELF.has(name) ? receiver : undefined
}

const IDENTITIES = new Set(
  "encodeURIComponent encodeURI String str quote QueryEscape PathEscape EscapeDataString escape urlencode rawurlencode int Number strval toString URI Uri URL create parse Parse parse_url byte []byte string StringBuilder bytes from freeze Of".split(
    " "
  )
)

/** Functions that give what they are given, as far as it matters here. */
export const identity = (path: string, { named, positional }: CallArguments): CodeValue | undefined => {
  const [first] = positional
  if (first === undefined || named.entries.length > 0) return undefined
  const name = path.slice(path.lastIndexOf(".") + 1)
  if (!IDENTITIES.has(name)) return undefined
  return first._tag === "Text" ||
    first._tag === "Literal" ||
    first._tag === "Unknown" ||
    first._tag === "Url" ||
    first._tag === "Json"
    ? first
    : undefined
}

const FORMAT = /%%|%(?:\((\w{1,40})\))?[-+0#]{0,3}\d{0,4}(?:\.\d{1,3})?[a-zA-Z]|\{(\w{0,40})(?::[^{}]{0,20})?\}/g

/** A text with values in place of `%s`, `{}` and `{name}`; what is not known is a placeholder. */
export const formatted = (format: string, { named, positional }: CallArguments): CodeValue => {
  let next = 0
  const text = format.replace(FORMAT, (whole, ...groups: ReadonlyArray<string | undefined>) => {
    if (whole === "%%") return "%"
    const name = groups[0] ?? groups[1] ?? ""
    const value =
      name === "" ? positional[next++] : /^\d+$/.test(name) ? positional[Number(name)] : entryOf(named, name)
    if (value === undefined) return name === "" ? "{value}" : `{${name}}`
    const shown = within(value)
    return shown === null || shown.length > 2_000 ? placeholderOf(null) : shown
  })
  return text.length > 20_000 ? { _tag: "Unknown", path: null } : textValue(text)
}

/** Pairs that follow each other: `Map.of("a", 1, "b", 2)`. */
export const pairs = (values: ReadonlyArray<CodeValue>): Dict => {
  const made = dict([], values.length % 2 === 1)
  for (let at = 0; at + 1 < values.length; at += 2) {
    const [name, value] = [values[at], values[at + 1]]
    if (name?._tag === "Text" && value !== undefined) made.entries.push([name.text, value])
    else made.open = true
  }
  return made
}

const VERBS = new Set(["get", "post", "put", "patch", "delete", "head", "options"])

/** The method that a function is named after; `null` if it is none. */
export const verbOf = (name: string): string | null => (VERBS.has(name) ? name.toUpperCase() : null)

/** A method as it is given; `null` where it is not known. */
export const methodOf = (value: CodeValue | undefined): string | null =>
  value?._tag === "Text" && /^[A-Za-z]{3,10}$/.test(value.text) ? value.text.toUpperCase() : null

export const request = (value: CodeRequest): CodeValue => ({ _tag: "Request", request: value })

export const client = (kind: CallClient, base: CodeValue | null): CodeClient => ({
  client: kind,
  base,
  query: dict(),
  headers: dict()
})

/** An absolute address, or one that begins with a name that holds the host. */
const isWhole = (address: string): boolean => /^(?:[a-z][a-z\d+.-]{0,20}:\/\/|\{)/i.test(address)

/** How an address is put below a client's base: as URLs are resolved, or the one after the other. */
type Joining = "resolved" | "appended"

/** Where a client calls `address`. What authors often mean otherwise than it is resolved is not known. */
export const below = (base: CodeValue | null, address: CodeValue, joining: Joining): CodeValue => {
  const path = addressText(address)
  if (base === null || path === null || isWhole(path)) return address
  const root = base._tag === "Unknown" ? placeholderOf(base.path) : addressText(base)
  if (root === null) return UNKNOWN
  if (path === "") return textValue(root)
  const rest = path.startsWith("/") ? path.slice(1) : path
  if (joining === "resolved" && !root.startsWith("{") && !keepsBase(root, path)) return UNKNOWN
  return textValue(`${root.endsWith("/") ? root : `${root}/`}${rest}`)
}

/** Resolving gives the same as appending. */
const keepsBase = (root: string, path: string): boolean => {
  const folder = /^[a-z]+:\/\/[^/]*(\/.*)?$/i.exec(root)?.[1] ?? "/"
  return folder === "/" || (folder.endsWith("/") && !path.startsWith("/"))
}

/** Gives a request what its client sends with each. */
export const sendBy = (made: CodeRequest, by: CodeClient, address: CodeValue, joining: Joining): void => {
  made.address = below(by.base, address, joining)
  addAll(made.headers, by.headers)
  addAll(made.query, by.query)
}

/** `Accept: text/plain`: a header as one text. */
export const headerLine = (text: string): readonly [name: string, value: CodeValue] | null => {
  const colon = text.indexOf(":")
  return colon <= 0 ? null : [text.slice(0, colon).trim(), textValue(text.slice(colon + 1).trim())]
}

/** The value of an option that is set, and not to nothing. */
export const given = (value: CodeValue | undefined): CodeValue | null =>
  value === undefined || isNothing(value) ? null : value

export const textOf = (value: CodeValue | undefined): string => (value === undefined ? "" : (within(value) ?? ""))
