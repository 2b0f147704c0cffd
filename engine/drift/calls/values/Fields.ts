import { percentDecoded } from "../../../text/PercentDecoding.ts"
import type { SentField, SentFields, SentValue } from "../../ShownCall.ts"
import { hasPlaceholder, isPlaceholder } from "./Placeholder.ts"

export const OPEN: SentValue = { _tag: "Open" }

export const NO_FIELDS: SentFields = { fields: [], open: false }

/** Fields of one call, at most; what is more leaves them open. */
const MOST_FIELDS = 200

/** A text of a query, header, form or JSON: open where it is a placeholder or holds one. */
export const sentText = (text: string): SentValue => (hasPlaceholder(text) ? OPEN : { _tag: "Known", value: text })

/** An address and the query that it ends in, without its fragment. */
export interface AddressParts {
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
