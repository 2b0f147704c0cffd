import { trimEnd, trimStart, upTo } from "../../engine/evidence/Trim.ts"
import type { Table } from "../../engine/site/Page.ts"
import type { Passage } from "./Subject.ts"

/** The errors that a place names, and what it says of them. */
export interface ErrorListing {
  /** Different codes and names. */
  readonly listed: number
  /** Of those, with a meaning beside them that says more than the code's own name. */
  readonly explained: number
  /** It says what to do about them. */
  readonly advice: boolean
}

export const NO_ERRORS: ErrorListing = { listed: 0, explained: 0, advice: false }

/** What was said of each code or name, as found; `null` where it only stands there. */
type Found = readonly [name: string, meaning: string | null]

/** A longer place is read up to here, in lines. */
const LINES = 5_000

/** Errors listed in a passage that is about errors. `own`: what the place itself is called, which may be an error's name. */
export const errorsIn = (passage: Passage, own: string): ErrorListing => {
  const found = [
    ...inName(own, passage),
    ...passage.tables.flatMap(inTable),
    ...passage.definitions.flatMap(({ term, text }): ReadonlyArray<Found> => inName(term, { text })),
    ...passage.sections.flatMap(({ heading, text }) => inName(heading, { text })),
    ...inLines(linesOf(passage)),
    ...passage.codeBlocks.flatMap(({ text }) => caughtIn(text))
  ]
  return { ...tallied(found), advice: givesAdvice(passage, found) }
}

/** Running text and lists; the cells of tables are read as tables. */
const linesOf = ({ tables, text }: Passage): ReadonlyArray<string> => {
  const cells = new Set(tables.flatMap(({ header, rows }) => [header, ...rows].flat()))
  return text.split("\n", LINES).filter((line) => !cells.has(line))
}

/** Counts each error once; it is explained where any of its mentions is. */
export const tallied = (found: ReadonlyArray<Found>): Pick<ErrorListing, "listed" | "explained"> => {
  const explained = new Map<string, boolean>()
  for (const [name, meaning] of found) {
    const key = keyOf(name)
    explained.set(key, explained.get(key) === true || (meaning !== null && isMeaning(meaning, name)))
  }
  return { listed: explained.size, explained: [...explained.values()].filter(Boolean).length }
}

/** `httpx.ReadTimeout`, `ReadTimeout` and `ReadTimeout()` are one. */
const keyOf = (name: string): string =>
  (/^[45]\d\d\b/.exec(name)?.[0] ?? upTo(name, "(").split(/::|[.\\]/).at(-1) ?? name).trim().toLowerCase().slice(0, 80)

const STATUS = /^(?:(?:http|status|error|code)\s+)*([45]\d\d)\b/i
const STATUSES = /\b[45]\d\d\b/g

/** `RateLimitError`, `Octokit::NotFoundException`, `ZMQ.Error`. */
const CLASS_NAME = /^(?:(?:class|exception|struct|enum|interface|type|error)\s+)*((?:[A-Za-z_]\w*(?:\.|::|\\))*[A-Z]\w*(?:Error|Exception|Errors|Fault)|(?:[A-Za-z_]\w*(?:\.|::|\\))+(?:Error|Exception))\b/
/** A class that is introduced as an exception need not be called one. */
const DECLARED = /^(?:exception|class):?\s+((?:[A-Za-z_]\w*(?:\.|::|\\))+[A-Z]\w*)/i
const CONSTANT = /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|E[A-Z]{3,})$/
/** Lower-case codes are told from field names by what they say. */
const CODE = /^[a-z0-9]+(?:[_-][a-z0-9]+)+$/
const ERROR_WORD = /invalid|error|fail|not_found|denied|missing|expired|exceeded|forbidden|unauthori[sz]ed|conflict|timeout|unsupported|unknown|bad_|duplicate|reject|unavailable|disabled|too_|limit|mismatch|blocked|required|not_|no_/

/** Of a term, a cell or a line this much may be a name, in characters. */
const NAME_CHARACTERS = 200

const nameIn = (text: string): string | null => {
  const plain = trimStart(trimEnd(text.slice(0, NAME_CHARACTERS).trim(), "`\"'*:"), "`\"'*")
  const status = STATUS.exec(plain)?.[1]
  if (status !== undefined) return status
  const name = CLASS_NAME.exec(plain)?.[1] ?? DECLARED.exec(plain)?.[1]
  if (name !== undefined) return name
  return CONSTANT.test(plain) || (CODE.test(plain) && ERROR_WORD.test(plain)) ? plain : null
}

/** A term or a heading that is an error, with what stands under it. */
const inName = (title: string, { text }: { readonly text: string }): ReadonlyArray<Found> => {
  const name = title.length > NAME_CHARACTERS ? null : nameIn(title)
  return name === null ? [] : [[name, `${STATUS.test(title) ? title.replace(STATUS, "") : ""} ${text.slice(0, 1_000)}`]]
}

const FIELD_COLUMN = /^(?:field|parameter|property|attribute|key|argument|option|header|method|modifier(?: and type)?)s?\b/i
const ERROR_COLUMN = /\b(?:errors?|codes?|status(?:es)?|exceptions?|problems?|failures?|fault|symptom|message|issue)\b/i
const SUCCESS = /^(?:http )?[123](?:\d\d|xx)\b/i

/**
 * Rows of a table whose cells are errors (and no fields of an error object). What to do is no meaning. They are
 * told by the heading of a column, or by what most of them look like.
 */
const inTable = ({ header, rows }: Table): ReadonlyArray<Found> => {
  const column = Math.max(0, header.findIndex((cell) => ERROR_COLUMN.test(cell)))
  const named = rows.filter((row) => nameIn(row[column] ?? "") !== null).length
  const byHeader = header.some((cell) => ERROR_COLUMN.test(cell))
  if (FIELD_COLUMN.test(header[0] ?? "")) return []
  if (!byHeader && (named === 0 || named * 2 < rows.length)) return []
  return rows.flatMap((row): ReadonlyArray<Found> => {
    const cell = (row[column] ?? "").trim()
    if (cell === "" || cell.length > NAME_CHARACTERS || SUCCESS.test(cell)) return []
    const said = row.filter((_, index) => index !== column && !ADVICE_COLUMN.test(header[index] ?? "")).join(" ")
    const statuses = STATUS.test(cell) ? cell.match(STATUSES) ?? [] : []
    return statuses.length > 0 ? statuses.map((status) => [status, `${cell.replaceAll(STATUSES, "")} ${said}`]) : [[cell, said]]
  })
}

const ITEM = /^[\s•*-]*[`"'*]*((?:(?:HTTP|Error) )?[45]\d\d|[A-Za-z_][\w.:]{0,80})[`"'*]*(?:\s?[:–—-]{1,3}\s+|\s+\(|\s+)(\S.*)$/
const ALONE = /^[\s•*-]*(?:(?:class|exception|error)\s+)?[\w.:]+(?:\(.*\))?$/

/** Items of lists: `404 – no such order`; a class on a line of its own, with its meaning on the next. */
const inLines = (lines: ReadonlyArray<string>): ReadonlyArray<Found> =>
  lines.flatMap((line, index): ReadonlyArray<Found> => {
    const text = line.slice(0, 400)
    if (ALONE.test(text)) {
      const name = nameIn(text.replace(/^[\s•*-]+/, ""))
      const next = lines[index + 1] ?? ""
      return name === null ? [] : [[name, /\s/.test(next.trim()) && nameIn(next) === null ? next : null]]
    }
    const [, lead = "", rest = ""] = ITEM.exec(text) ?? []
    const name = nameIn(lead)
    return name === null ? [] : [[name, rest]]
  })

/** Errors that a sample catches or compares: named, not explained. */
const CAUGHT = /\b(?:except|catch|rescue|raise|throws?)\b[\s({]*((?:[A-Za-z_]\w*(?:\.|::|\\))*[A-Z]\w+)|\bstatus(?:_?code)?\W{1,6}([45]\d\d)\b/g

const caughtIn = (code: string): ReadonlyArray<Found> =>
  [...code.slice(0, 10_000).matchAll(CAUGHT)].flatMap(([, name, status]): ReadonlyArray<Found> => {
    const found = name ?? status
    return found === undefined ? [] : [[found, null]]
  })

/** What the code is called anyway, and the words of its declaration, explain nothing. */
const REASONS = /\b(?:bad request|unauthori[sz]ed|payment required|forbidden|not found|method not allowed|not acceptable|request timeout|conflict|gone|unprocessable (?:entity|content)|too many requests|internal server error|server error|not implemented|bad gateway|service unavailable|gateway timeout|i['’]m a teapot|errors?|exceptions?|yes|no|public|static|final|class|struct|enum|const|void|int|long|string)\b/gi

/** At least so many words beyond the code's own name. */
const MEANING_WORDS = 2
const MEANING_CHARACTERS = 8

export const isMeaning = (text: string, name: string): boolean => {
  const words = text.replaceAll(name, " ").replace(REASONS, " ").split(/[^\p{L}\p{N}'’]+/u).filter((word) => /\p{L}{2}/u.test(word))
  return words.length >= MEANING_WORDS && words.join("").length >= MEANING_CHARACTERS
}

const ADVICE_COLUMN = /\b(?:resolution|solutions?|fix(?:es)?|actions?|what to do|how to (?:fix|resolve|handle|solve)|remed(?:y|ies)|retry|retryable|recommend(?:ed|ation)|handling|next steps?|mitigation|suggestion)\b/i
const ADVICE_HEADING = /\b(?:handl(?:e|ing)|retr(?:y|ies|ying)|troubleshoot(?:ing)?|resol(?:ve|ving|ution)|recover(?:y|ing)?|what to do|how to fix|solutions?|catching|back-?off)\b/i
const ADVICE_WORDS = /\b(?:check|verify|retry|retrying|try (?:again|your)|please try|ensure|make sure|contact|wait|slow down|back ?off|reduce|increase|you (?:can|should|must|need)|should|must be|do not|don['’]t|instead|adjust|correct|review|re-?authenticate|refresh|upgrade|consider|use (?:a|an|the|another|different|asynchronous))\b/i
/** A word of advice in passing is not advice on errors. */
const ADVISED_ERRORS = 2

const givesAdvice = ({ codeBlocks, sections, tables }: Passage, found: ReadonlyArray<Found>): boolean =>
  tables.some(({ header }) => header.some((cell) => ADVICE_COLUMN.test(cell)))
  || sections.some(({ heading }) => ADVICE_HEADING.test(heading))
  || new Set(found.flatMap(([name, meaning]) => (meaning !== null && ADVICE_WORDS.test(meaning) ? [keyOf(name)] : []))).size >= ADVISED_ERRORS
  || (found.length > 0 && codeBlocks.some(({ text }) => caughtIn(text).some(([name]) => !/^\d/.test(name))))
