import { percentDecoded } from "../text/UrlPath.ts"

/*
 * A call of an HTTP API as a page shows it, whatever client it is written for. What the page leaves open (a variable, a placeholder, a
 * spread, something that was not understood) is said to be open, because nothing can be said of it.
 */

/** What a call is written for. `line`: a request line such as `POST /orders`, in code or in prose. */
export type CallClient =
  | "curl"
  | "httpie"
  | "wget"
  | "http"
  | "line"
  | "fetch"
  | "axios"
  | "requests"
  | "httpx"
  | "go"
  | "java"
  | "php"
  | "ruby"
  | "csharp"

export interface ShownCall {
  readonly client: CallClient
  /** Upper case. */
  readonly method: string
  /**
   * Address as written, without query and fragment: absolute (`https://api.acme.dev/v1/orders/{id}`) or, where no host is shown, a path.
   * Every form of placeholder is left as it is; what is built of variables has them as `{name}`.
   */
  readonly address: string
  readonly query: SentFields
  /** Names as written. */
  readonly headers: SentFields
  readonly body: SentBody
  /** Line of the block or text in which the call begins, from 0. */
  readonly line: number
}

export interface SentFields {
  readonly fields: ReadonlyArray<SentField>
  /** More may be sent than is listed. */
  readonly open: boolean
}

export interface SentField {
  readonly name: string
  readonly value: SentValue
}

/** `Open`: there is or may be a body that was not read. `Form`: fields of a form, URL-encoded or in parts. */
export type SentBody =
  | { readonly _tag: "None" }
  | { readonly _tag: "Open" }
  | { readonly _tag: "Json"; readonly value: SentValue }
  | { readonly _tag: "Form"; readonly sent: SentFields }

export type SentValue =
  /** A variable, a placeholder (`<id>`, `{id}`, `$ID`, `YOUR_KEY`, `…`), or what was not understood. */
  | { readonly _tag: "Open" }
  /** In queries, headers, forms: a text. In JSON: what it is. */
  | { readonly _tag: "Known"; readonly value: string | number | boolean | null }
  | { readonly _tag: "List"; readonly items: ReadonlyArray<SentValue>; readonly open: boolean }
  | { readonly _tag: "Object"; readonly sent: SentFields }

export const OPEN: SentValue = { _tag: "Open" }

export const NO_FIELDS: SentFields = { fields: [], open: false }

/** Fields of one call, at most; what is more leaves them open. */
const MOST_FIELDS = 200

/** A text of a query, header, form or JSON: open where it is a placeholder or holds one. */
export const sentText = (text: string): SentValue => (hasPlaceholder(text) ? OPEN : { _tag: "Known", value: text })

/** An address and the query that it ends in, without its fragment. */
interface AddressParts {
  readonly address: string
  readonly query: SentFields
}

/** URI templates (RFC 6570): `{?limit,offset}` and `{&page}` name what may be sent. */
const TEMPLATE_QUERY = /\{[?&][^{}]{0,200}\}/

/** `/orders[?limit=5]`: the query may be left out. */
const OPTIONAL_QUERY = /\[[?&]/

/** Parts that may be left out, chosen from or stand for several segments: which address is called is not said. */
const UNDECIDED = /\[\/|\(|\||\*|\.\.\.|…/

/** `API_URL/orders`: the reader puts a server in. */
export const CAPITAL_SERVER = /^[A-Z][A-Z\d_]{0,40}(?:URL|HOST|HOSTNAME|DOMAIN|SERVER|ENDPOINT)\/[^\s]*$/

/** Whether an address says where the call goes, placeholders aside. */
export const isDecided = (address: string): boolean =>
  !UNDECIDED.test(address.replace(/<[^<>]{1,80}>|\{{1,2}[^{}]{1,80}\}{1,2}/g, ""))

/** Where the query or fragment begins: the first `?` or `#` that is in no placeholder. */
const endOfPath = (text: string): number => {
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "{" || character === "<") open++
    else if (character === "}" || character === ">") open = Math.max(0, open - 1)
    else if (open === 0 && (character === "?" || (character === "#" && text[at + 1] !== "{"))) return at
  }
  return text.length
}

export const addressParts = (written: string): AddressParts => {
  const template = TEMPLATE_QUERY.exec(written) ?? OPTIONAL_QUERY.exec(written)
  const text = template === null ? written : written.slice(0, template.index)
  const end = endOfPath(text)
  const query = text[end] === "?" ? queryOf(withoutFragment(text.slice(end + 1))) : NO_FIELDS
  return { address: text.slice(0, end), query: { fields: query.fields, open: query.open || template !== null } }
}

const withoutFragment = (query: string): string => {
  const hash = query.search(/#(?!\{)/)
  return hash < 0 ? query : query.slice(0, hash)
}

/** Half of a surrogate pair, which no URL can have, is replaced. */
export const urlEncoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const decoded = (text: string): string | null => percentDecoded(text.replaceAll("+", " "))

/** Fields of a query or a URL-encoded form. What is no pair of a name and a value leaves them open. */
export const queryOf = (text: string): SentFields => {
  const parts = text.split("&", MOST_FIELDS + 1)
  const fields = parts.slice(0, MOST_FIELDS).flatMap((part): ReadonlyArray<SentField> => {
    const equals = part.indexOf("=")
    const name = decoded(equals < 0 ? part : part.slice(0, equals))
    if (name === null || !isName(name)) return []
    if (equals < 0) return [{ name, value: OPEN }]
    const value = decoded(part.slice(equals + 1))
    return [{ name, value: value === null ? OPEN : sentText(value) }]
  })
  return { fields, open: fields.length < parts.filter((part) => part !== "").length }
}

/** The name of a field, and no placeholder of one. */
export const isName = (name: string): boolean =>
  name !== "" && name.length <= 100 && !/[\s"'`{}<>|\\;]/.test(name) && !isPlaceholderName(name)

/** Names are often words in capitals, so only forms that are no words count. */
const isPlaceholderName = (name: string): boolean => isPlaceholder(name) && !/^[A-Za-z_][\w-]*$/.test(name)

/** The fields of both, in order. */
export const joined = (one: SentFields, other: SentFields): SentFields => ({
  fields: [...one.fields, ...other.fields].slice(0, MOST_FIELDS),
  open: one.open || other.open || one.fields.length + other.fields.length > MOST_FIELDS
})

/** Longer texts are values, whatever they hold. */
const LONGEST = 200

/** Of what the last word of a name in capitals tells that it is in place of a value: `ORDER_ID`, `API_KEY`. */
const CAPITAL_END =
  "ID|IDS|KEY|TOKEN|SECRET|UUID|GUID|NAME|SLUG|HERE|VALUE|URL|HOST|HOSTNAME|DOMAIN|SERVER|ENDPOINT|EMAIL|PASSWORD|USERNAME|HASH|ADDRESS|CODE"

const WHOLE: ReadonlyArray<RegExp> = [
  // `{id}`, `{{id}}`, `${id}`, `#{id}`
  /^[$#]?\{{1,2}[^{}]{0,100}\}{1,2}$/,
  // `$ID`, `%ID%`, `%s`, `%(id)s`
  /^\$[A-Za-z_][\w.]*$/,
  /^%[A-Za-z_]\w*%$/,
  /^%(?:\(\w+\))?[sdvqi]$/,
  /^<[^<>]{0,100}>$/,
  /^:[A-Za-z_][\w-]*$/,
  /^\[[A-Za-z_][\w .-]*\]$/,
  /^(?:your|my|the|some|enter|insert|replace|example)[_ -](?:[\w -]*[_ -])?(?:id|key|token|secret|uuid|name|value|url|email|password|username|here)$/i,
  /^your[_. -]?[\w.-]*(?: [\w.-]+){0,2}$/i,
  new RegExp(`^(?:[A-Z][A-Z0-9]*[_-]){0,6}(?:${CAPITAL_END})$`),
  /^[\w-]*[_-]here$/i,
  /^x{3,}$/i,
  /^(?:x{2,}-){1,8}x{2,}$/i,
  /^(?:changeme|change_me|replaceme|replace_me|placeholder)$/i,
  // The name of a type in place of a value, and the form of a date.
  /^(?:string|integer|int|number|boolean|bool|date|datetime|timestamp|float|double|object|array|uuid)$/i,
  /^Y{4}[-/]?MM[-/]?DD/i,
  // What may be chosen from: `asc|desc`.
  /^[[({<]?\w[\w-]{0,60}(?: ?\| ?\w[\w-]{0,60}){1,20}[\])}>]?$/,
  /^_{2,}$/
]

/** A stand-in within a text that has more: `Bearer <token>`, `eyJ…`, `$HOST/orders`. */
const WITHIN =
  /…|\.\.\.|\*{3}|\{\{|[$#]\{|\$\(|\$[A-Za-z_]|<[A-Za-z][^<>]{0,80}>|\bYOUR[_-]|(?<![A-Za-z])[xX]{3,}(?![A-Za-z])|%[A-Z_]{2,40}%|\{[A-Za-z_][\w.-]{0,60}\}/

/**
 * Whether a text as a whole stands for what the reader puts in: a segment of a path or a value, such as `{id}`, `:id`, `<id>`, `$ID`,
 * `%s`, `[id]`, `YOUR_ID`, `ORDER_ID`, `…`, `xxx`, `***`.
 */
export const isPlaceholder = (text: string): boolean =>
  text.length <= LONGEST && (/^(?:…|\.{3,}|\*{2,})$/.test(text) || WHOLE.some((form) => form.test(text)))

/** Whether a text is a placeholder, or holds one. */
export const hasPlaceholder = (text: string): boolean => isPlaceholder(text) || WITHIN.test(text)
