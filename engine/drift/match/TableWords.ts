import type { ContractType } from "../../apispec/Contract.ts"
import type { Page, Table } from "../../page/Page.ts"
import { LANGUAGES } from "../../text/languages/Language.ts"
import { type Meaning, readerIn } from "../../text/languages/Vocabulary.ts"
import { saysOld } from "./CallFinding.ts"

/** Longer cells and headings are sentences. */
const LABEL = 60

const others = readerIn(...LANGUAGES)

/** A label says it, and nothing else. */
const isOnly = (text: string, english: RegExp, ...meanings: ReadonlyArray<Meaning>): boolean => {
  const label = text.trim()
  if (label === "" || label.length > LABEL) return false
  return english.test(label) || meanings.reduce((rest, meaning) => others.without(meaning, rest).trim(), label) === ""
}

const NAME =
  /^(?:(?:query|path|header|body|request|form|url|json)[ -]?)?(?:(?:string )?(?:parameter|param|field|attribute|property|key|argument|option|name|header|member)s?)(?: name)?$/i
const TYPE = /^(?:(?:data|value) ?)?(?:type|format)s?$/i
const REQUIRED = /^(?:is )?(?:required|mandatory|requirement|required\/optional|req(?:'d|\.)?)\??$/i

export const isNameColumn = (cell: string): boolean => isOnly(cell, NAME, "fieldColumn", "nameColumn")
export const isTypeColumn = (cell: string): boolean => isOnly(cell, TYPE, "typeColumn")
/** Tells whether a row is of the body or, say, of a header. */
export const isPlaceColumn = (cell: string): boolean =>
  /^(?:in|location|located in|place|position|where)$/i.test(cell.trim())
const isErrorColumn = (cell: string): boolean =>
  isOnly(cell, /^(?:\w{1,20} )?(?:errors?|codes?|status|reasons?)(?: \w{1,20})?$/i, "errorColumn")
export const isRequiredColumn = (cell: string): boolean => isOnly(cell, REQUIRED, "requiredColumn")

const YES = /^(?:yes|y|true|required|mandatory|always|✓|✔️?|✅|☑️?|●)$/i
const NO = /^(?:no|n|false|optional|✗|✘|❌|✕)$/i

/** Whether a cell of that column says that a parameter must be given; `null` where it says more or something else. */
export const requiredIn = (cell: string): boolean | null => {
  // "No" is part of words for "not needed", so it is looked for first.
  if (isOnly(cell, NO, "denied")) return false
  return isOnly(cell, YES, "affirmed", "requiredColumn") ? true : null
}

const ANSWERS =
  /\b(?:respon[sd]\w{0,6}|returns?|returned|results?|outputs?|answers?|errors?|status codes?|events?|webhooks?|callbacks?)\b/i
const REQUESTS = /\b(?:parameters?|params|request|query|arguments?|body|payload|headers?|inputs?|options|fields)\b/i

export const saysAnswers = (text: string): boolean => ANSWERS.test(text) || others.says("aboutAnswers", text)
const saysRequests = (text: string): boolean => REQUESTS.test(text) || others.says("aboutRequests", text)

const ANSWER_LABEL =
  /^(?:(?:the|an|api|json|http|successful|success|ok|return|20[0-3]) ){0,3}(?:response|responses|returns?|returned|results?|outputs?|answer)(?: (?:json|body|bodies|payload|data|object|values?|fields?|parameters?|params|attributes?|properties|members|schema|format|structure|model|content|contents|type|types|details|20[0-3]|ok|created|accepted|success)){0,3}$/

/** All that a label says is that what follows is what a call is answered with, not that it is an error, a header or one of several. */
export const isAnswerLabel = (text: string): boolean => {
  const label = text.trim()
  if (label === "" || label.length > LABEL) return false
  const words = label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
  if (ANSWER_LABEL.test(words)) return true
  const without = (...meanings: ReadonlyArray<Meaning>): string =>
    meanings.reduce((rest, meaning) => others.without(meaning, rest), label).trim()
  return others.says("aboutAnswers", label) && without("aboutAnswers", "fieldColumn", "nameColumn") === ""
}

const ERRORS =
  /\b(?:errors?|exceptions?|fail(?:s|ed|ures?)?|status codes?|[45]\d\d|[45]xx|events?|webhooks?|callbacks?)\b/i

/** A status of a failed call. */
export const saysFailureStatus = (text: string): boolean => /(?<![\w.,-])[45](?:0\d|[1-3]\d|XX)(?![\w,-])/i.test(text)
export const saysErrors = (text: string): boolean => ERRORS.test(text) || others.says("errors", text)
const saysHeaders = (text: string): boolean => /\bheaders?\b/i.test(text)

/** Kinds of values that no description and no page mixes up. */
type ValueKind = "text" | "number" | "boolean" | "list" | "object"

const KINDS: ReadonlyArray<readonly [ValueKind, RegExp]> = [
  ["list", /^(?:array|list)\b|\[\]$/i],
  ["text", /^(?:string|str|text|varchar|char|uuid|guid|email|uri|url|date|date-?time)$/i],
  ["number", /^(?:integer|int|int32|int64|long|bigint|number|float|double|decimal|numeric)$/i],
  ["boolean", /^(?:boolean|bool)$/i],
  ["object", /^(?:object|dict|dictionary|map|hash)$/i]
]

/** The kind that a cell of types names; `null` where it names several or none that is known. */
export const kindIn = (cell: string): ValueKind | null => {
  const text = cell.trim()
  return text.length > LABEL ? null : (KINDS.find(([, form]) => form.test(text))?.[0] ?? null)
}

const KIND_OF: Readonly<Record<ContractType, ValueKind | null>> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
  array: "list",
  object: "object",
  null: null
}

export const kindsOf = (types: ReadonlyArray<ContractType>): ReadonlySet<ValueKind> =>
  new Set(types.map((type) => KIND_OF[type]).filter((kind) => kind !== null))

/** A name may be marked as required, and may end as the mark does: `is_required`. */
const NAMED =
  /^[`'"]?([A-Za-z_$@][\w.$@[\]-]{0,80}?)[`'"]?(?:\s{0,3}\*|(?<![._$-])\s{0,3}\(?(?:required|optional|mandatory)\)?)?$/i

/** The parameter that a cell names; `null` where it says more, or another thing. */
export const nameIn = (cell: string): string | null => NAMED.exec(cell.trim().slice(0, 200))?.[1] ?? null

/** What a table is of: what callers send, or what a successful call is answered with. */
export type TableSide = "request" | "answer"

/** Tells the side of a page's tables; `null` for one that may be of anything else. */
export const tableSides = ({ sections, tables }: Page): ((table: Table) => TableSide | null) => {
  const counts = new Map<number, number>()
  for (const { section } of tables) counts.set(section, (counts.get(section) ?? 0) + 1)
  // Of a section with many tables the text is read once.
  const mentions = (says: (text: string) => boolean): ((section: number) => boolean) => {
    const known = new Map<number, boolean>()
    return (section) => {
      const said = known.get(section) ?? says(sections[section]?.text ?? "")
      known.set(section, said)
      return said
    }
  }
  const mentionsAnswers = mentions(saysAnswers)
  const mentionsErrors = mentions(saysErrors)
  const mentionsFailures = mentions(saysFailureStatus)

  return ({ caption, header, section }) => {
    const heading = sections[section]?.heading
    if (heading === undefined || saysOld(`${heading}\n${caption}`)) return null
    const isOneOfSeveral = (counts.get(section) ?? 0) > 1
    const names = header[0] ?? ""
    if (isAnswerLabel(caption === "" ? heading : caption)) {
      const isOfAny = caption === "" && (mentionsFailures(section) || (isOneOfSeveral && mentionsErrors(section)))
      return isOfAny || saysHeaders(names) || header.some(isErrorColumn) ? null : "answer"
    }
    if (saysAnswers(`${heading}\n${caption}`)) return null
    if (isOneOfSeveral && caption === "" && mentionsAnswers(section)) return null
    return saysRequests(`${heading}\n${caption}\n${names}`) || header.some(isRequiredColumn) ? "request" : null
  }
}
