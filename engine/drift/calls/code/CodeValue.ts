import { type CallClient, urlEncoded } from "../../ShownCall.ts"

/** A value of a program as far as its text tells. Lists, dictionaries, requests and clients change while the program goes on. */
export type CodeValue =
  | Unknown
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Literal"; readonly value: number | boolean | null }
  | { readonly _tag: "List"; readonly items: Array<CodeValue>; open: boolean }
  | Dict
  /** The JSON text of a value. */
  | { readonly _tag: "Json"; readonly value: CodeValue }
  /** A URL-encoded form, or one in parts. */
  | { readonly _tag: "Form"; readonly sent: Dict }
  | UrlValue
  | { readonly _tag: "Request"; readonly request: CodeRequest }
  | { readonly _tag: "Client"; readonly client: CodeClient }

interface Unknown {
  readonly _tag: "Unknown"
  /** What it is called, with dots; `null`: it has no name. */
  readonly path: string | null
}

export interface Dict {
  readonly _tag: "Dict"
  readonly entries: Array<readonly [name: string, value: CodeValue]>
  /** It may have more entries. */
  open: boolean
}

export interface UrlValue {
  readonly _tag: "Url"
  readonly text: CodeValue
  readonly query: Dict
}

/** A request while it is put together. */
export interface CodeRequest {
  readonly client: CallClient
  readonly line: number
  /** `null`: not understood, so that the request is none. */
  method: string | null
  address: CodeValue
  query: Dict
  headers: Dict
  /** `null`: none. */
  body: CodeValue | null
  /** What a dictionary becomes as a body. */
  bodyForm: "json" | "form"
}

/** What requests have in common. */
export interface CodeClient {
  readonly client: CallClient
  base: CodeValue | null
  readonly query: Dict
  readonly headers: Dict
}

export const UNKNOWN: Unknown = { _tag: "Unknown", path: null }

export const unknown = (path: string): Unknown => ({ _tag: "Unknown", path })

export const textValue = (text: string): CodeValue => ({ _tag: "Text", text })

export const dict = (entries: ReadonlyArray<readonly [string, CodeValue]> = [], open = false): Dict => ({
  _tag: "Dict",
  entries: [...entries],
  open
})

/** An empty list is an empty dictionary in PHP. */
export const asDict = (value: CodeValue | undefined): Dict => {
  if (value === undefined || isNothing(value)) return dict()
  if (value._tag === "Dict") return value
  if (value._tag === "Form") return value.sent
  return dict([], !(value._tag === "List" && value.items.length === 0 && !value.open))
}

export const isNothing = (value: CodeValue): boolean => value._tag === "Literal" && value.value === null

/** Longer texts are not put together: a text that is joined with itself doubles each time. */
const LONGEST_TEXT = 20_000

/** A name for a value that is put into a text, in the form of a placeholder. */
export const placeholderOf = (path: string | null): string => {
  const name = /([A-Za-z_][\w-]{0,60})$/.exec((path ?? "").slice(-80))?.[1]
  return `{${name ?? "value"}}`
}

/** A value within a text; `null` for what no text can be made of. */
export const within = (value: CodeValue): string | null => {
  if (value._tag === "Text") return value.text
  if (value._tag === "Literal") return String(value.value)
  if (value._tag === "Unknown") return placeholderOf(value.path)
  if (value._tag === "Url") return addressText(value)
  return value._tag === "Form" ? queryText(value.sent) : null
}

export const concat = (left: CodeValue, right: CodeValue): CodeValue => {
  const [one, other] = [within(left), within(right)]
  return one === null || other === null || one.length + other.length > LONGEST_TEXT ? UNKNOWN : textValue(one + other)
}

/** A dictionary as the text of a query; what is open has placeholders. */
const queryText = ({ entries, open }: Dict): string =>
  [...entries.map(([name, value]) => `${urlEncoded(name)}=${queryValue(value)}`), ...(open ? ["{more}"] : [])].join("&")

const queryValue = (value: CodeValue): string =>
  value._tag === "Text" || value._tag === "Literal" ? encoded(within(value) ?? "") : "{value}"

/** Placeholders stay as they are. */
const encoded = (text: string): string => urlEncoded(text).replaceAll("%7B", "{").replaceAll("%7D", "}")

/** The text of an address with its query; `null` where it is not known. */
export const addressText = (value: CodeValue): string | null => {
  if (value._tag !== "Url") return value._tag === "Text" ? value.text : null
  const text = addressText(value.text)
  const query = queryText(value.query)
  return text === null || query === "" ? text : `${text}${text.includes("?") ? "&" : "?"}${query}`
}
