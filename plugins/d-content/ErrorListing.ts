import { trimEnd, trimStart, upTo } from "../../engine/text/WhiteSpace.ts"
import type { Section, Table } from "../../engine/page/Page.ts"
import type { Reader } from "../../engine/text/languages/Vocabulary.ts"
import { hasWideLetters, readingLength, wordsIn } from "../../engine/text/languages/Language.ts"
import type { Passage } from "./Topic.ts"

/** The errors that a place lists, and what it says about them. */
export interface ErrorListing {
  /** Different codes and names. */
  readonly listed: number
  /** Of those, errors with a meaning that says more than the code's own name. */
  readonly explained: number
  /** It says what to do about them. */
  readonly advice: boolean
}

/** A code or name with its meaning; `null` if it has none. */
type Found = readonly [name: string, meaning: string | null]

/** Maximum number of lines to read. */
const LINES = 5_000

/** A passage that is about errors, and the errors in it. */
export interface ErrorPassage {
  readonly passage: Passage
  readonly found: ReadonlyArray<Found>
}

/** The errors in a passage that is about errors. `own`: what the place itself is called, which may be an error's name. */
export const errorsIn = (passage: Passage, own: string, reader: Reader): ErrorPassage => {
  const found = [
    ...inName(own, passage, reader),
    ...passage.tables.flatMap((table) => inTable(table, reader)),
    ...passage.definitions.flatMap(({ term, text }): ReadonlyArray<Found> => inName(term, { text }, reader)),
    ...passage.sections.flatMap((section) => [
      ...inName(section.heading, section, reader),
      ...inFirstLine(section, reader)
    ]),
    ...inLines(linesOf(passage), reader),
    ...passage.codeBlocks.flatMap(({ text }) => caughtIn(text))
  ]
  const fields = fieldsIn(passage, own, reader)
  return { passage, found: found.filter(([name]) => !fields.has(name)) }
}

/** What passages that are read together list. */
export const listingOf = (passages: ReadonlyArray<ErrorPassage>, reader: Reader): ErrorListing => {
  const found = passages.flatMap((one) => one.found)
  return {
    ...tallied(found, reader),
    advice: passages.some((one) => givesAdvice(one, reader)) || advises(found, reader)
  }
}

/** Running text and lists; the cells of tables are read as tables. */
const linesOf = ({ tables, text }: Passage): ReadonlyArray<string> => {
  const cells = new Set(tables.flatMap(({ header, rows }) => [header, ...rows].flat()))
  return text.split("\n", LINES).filter((line) => !cells.has(line))
}

/** Counts each error once; it is explained where any of its mentions is. */
export const tallied = (found: ReadonlyArray<Found>, reader: Reader): Pick<ErrorListing, "listed" | "explained"> => {
  const explained = new Map<string, boolean>()
  for (const [name, meaning] of found) {
    const key = keyOf(name)
    explained.set(key, explained.get(key) === true || (meaning !== null && isMeaning(meaning, name, reader)))
  }
  return { listed: explained.size, explained: [...explained.values()].filter(Boolean).length }
}

/** `httpx.ReadTimeout`, `ReadTimeout` and `ReadTimeout()` are one. */
const keyOf = (name: string): string =>
  (
    /^[45]\d\d\b/.exec(name)?.[0] ??
    upTo(name, "(")
      .split(/::|[.\\]/)
      .at(-1) ??
    name
  )
    .trim()
    .toLowerCase()
    .slice(0, 80)

const STATUS = /^(?:(?:http(?:\/\d(?:\.\d)?)?|status|error|code|response)[\s:]{1,3}\(?)*([45]\d\d)\b/i
const STATUSES = /\b[45]\d\d\b/g

/** `RateLimitError`, `Octokit::NotFoundException`, `ZMQ.Error`. */
const CLASS_NAME =
  /^(?:(?:class|exception|struct|enum|interface|type|error)\s+)*((?:[A-Za-z_]\w*(?:\.|::|\\))*[A-Z]\w*(?:Error|Exception|Errors|Fault)|(?:[A-Za-z_]\w*(?:\.|::|\\))+(?:Error|Exception))\b/
/** A class declared as an exception may have any name. */
const DECLARED = /^(?:exception|class):?\s+((?:[A-Za-z_]\w*(?:\.|::|\\))+[A-Z]\w*)/i
const CONSTANT = /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|E[A-Z]{3,}|Error(?:Code)?_[A-Z]\w*)$/
/** Lower-case codes must contain an error word, to tell them from field names. */
const CODE = /^[a-z0-9]+(?:[_-][a-z0-9]+)+$/
const ERROR_WORD =
  /invalid|error|fail|not_found|denied|missing|expired|exceeded|forbidden|unauthori[sz]ed|conflict|timeout|unsupported|unknown|bad_|duplicate|reject|unavailable|disabled|too_|limit|mismatch|blocked|required|not_|no_/

/** Fields that error objects usually have. */
const ERROR_FIELD =
  /^errors?_(?:code|data|description|details?|id|info|kind|messages?|name|param|reason|status|subcode|text|title|type|ur[il])$/

/** Maximum length of a name, in characters. */
const NAME_CHARACTERS = 200

const nameIn = (text: string): string | null => {
  const plain = trimStart(trimEnd(text.slice(0, NAME_CHARACTERS).trim(), "`\"'*:"), "`\"'*")
  const status = STATUS.exec(plain)?.[1]
  if (status !== undefined) return status
  const name = CLASS_NAME.exec(plain)?.[1] ?? DECLARED.exec(plain)?.[1]
  if (name !== undefined) return name
  return CONSTANT.test(plain) || isCode(plain) ? plain : null
}

const isCode = (plain: string): boolean => CODE.test(plain) && ERROR_WORD.test(plain) && !ERROR_FIELD.test(plain)

/** A status after words of letters, and nothing between them but a space, a colon or a bracket: `Erreur 423`, `错误码：423`. */
const LED_STATUS = /^[\s•*-]{0,6}(\p{L}[\p{L} '’-]{0,40}?)[\s:：]{0,3}[(（]?(?=[45]\d\d(?!\d))/u

/** The text without a word for errors in another language that leads to a status; English is part of `STATUS`. */
const withoutLead = (text: string, reader: Reader): string => {
  const [whole = "", lead = ""] = LED_STATUS.exec(text) ?? []
  return lead !== "" && reader.says("errors", lead) && reader.without("errors", lead).trim() === ""
    ? text.slice(whole.length)
    : text
}

/** A term or heading that names an error, with the text below it. */
const inName = (titled: string, { text }: { readonly text: string }, reader: Reader): ReadonlyArray<Found> => {
  const title = titled.length > NAME_CHARACTERS ? titled : withoutLead(titled, reader)
  const name = title.length > NAME_CHARACTERS ? null : nameIn(title)
  return name === null ? [] : [[name, `${STATUS.test(title) ? title.replace(STATUS, "") : ""} ${text.slice(0, 1_000)}`]]
}

/** What an object has, as the heading of a list or the line before it says; "invalid parameters" are errors. */
const FIELDS =
  /(?<!\b(?:bad|duplicate|incorrect|invalid|malformed|missing|unknown|unsupported|wrong)\s(?:\w{1,20}\s)?)\b(?:arguments|attributes|fields|members|parameters|properties)\b/i
const FIELDS_HEADING = new RegExp(`${FIELDS.source}(?:\\s+of\\b.{0,60})?$`, "i")

/** Longer lines are running text. */
const LEAD_CHARACTERS = 100

/** A list of fields is headed by a word for them: the last one in Chinese, Japanese and Korean, elsewhere the first. */
const headsFields = (heading: string, reader: Reader): boolean => {
  const bare = heading.trim()
  const rest = reader.without("fieldColumn", bare)
  return FIELDS_HEADING.test(bare) || (hasWideLetters(bare) ? rest.endsWith(" ") : rest.startsWith(" "))
}

const leadsToFields = (line: string, reader: Reader): boolean => FIELDS.test(line) || reader.says("fieldColumn", line)

/** Names in lower case that are fields of an object: what a heading or a line with a colon before them says. */
const fieldsIn = ({ sections, text }: Passage, own: string, reader: Reader): ReadonlySet<string> => {
  const headings = new Set(sections.map(({ heading }) => heading))
  const fields = new Set<string>()
  let areFields = headsFields(own, reader)
  for (const line of text.split("\n", LINES)) {
    const start = line.slice(0, 400)
    const name = nameIn(ITEM.exec(start)?.[1] ?? start)
    if (name !== null && CODE.test(name)) {
      if (areFields) fields.add(name)
    } else if (headings.has(line)) areFields = headsFields(line, reader)
    else if (line.length <= LEAD_CHARACTERS && /[:：]\s*$/.test(line)) areFields = leadsToFields(line, reader)
  }
  return fields
}

const CODE_LINE = /^([^:=]{2,30}?)\s?[:=]\s?[`"']?([\w.-]{1,40})(?=[`"'\s,;]|$)/

/** `Code: 102` right below a heading, with the text after it. */
const inFirstLine = ({ heading, text }: Pick<Section, "heading" | "text">, reader: Reader): ReadonlyArray<Found> => {
  const end = text.indexOf("\n")
  const [, label = "", code] =
    CODE_LINE.exec((end < 0 ? text : text.slice(0, end)).slice(0, NAME_CHARACTERS).trim()) ?? []
  if (
    code === undefined ||
    !/\d/.test(code) ||
    !(/\bcode\b/i.test(label) || reader.says("errorColumn", label)) ||
    /^2\d\d$/.test(code)
  )
    return []
  return [[code, `${heading} ${end < 0 ? "" : text.slice(end, end + 1_000)}`]]
}

const FIELD_COLUMN =
  /^(?:field|parameter|property|attribute|key|argument|option|header|method|modifier(?: and type)?)s?\b/i
const ERROR_COLUMN = /\b(?:errors?|codes?|status(?:es)?|exceptions?|fault)\b/i
/** The heading of a column of situations, which are errors if they have a code or a name. */
const SITUATION_COLUMN = /\b(?:problems?|failures?|symptoms?|messages?|issues?)\b/i
const SUCCESS = /^(?:http )?[123](?:\d\d|xx)\b/i

const IDENTIFIER = /[A-Za-z_]\w*(?:(?:\.|::)\w+)*/g
const ERROR_IDENTIFIER = /(?:Error|Exception|Fault)s?$|^E(?:CONN|TIMED|NO)[A-Z]/
/** Other identifiers in running text are words, fields or settings. */
const namesError = (word: string): boolean =>
  nameIn(word) !== null && (ERROR_IDENTIFIER.test(word) || (word.includes("_") && ERROR_WORD.test(word.toLowerCase())))

const STATUS_WITHIN =
  /\b(?:http|status|code|errors?|returns?|gets?|getting|receiv(?:e|es|ing))(?: code| an?)? ([45]\d\d)\b(?! (?:[kmg]b|ms|items|rows|results))|\b([45]\d\d) (?:errors?|responses?|status|unauthori[sz]ed|forbidden|not found|bad request|conflict|too many requests|internal server error|bad gateway|service unavailable)\b/i

/** The code or name in the words of a situation: "The API returns 401", "Sending fails with `quota_exceeded`". */
const nameWithin = (situation: string): string | null => {
  const [, before, after] = STATUS_WITHIN.exec(situation) ?? []
  return nameIn(situation) ?? before ?? after ?? (situation.match(IDENTIFIER) ?? []).find(namesError) ?? null
}

/** The column of errors: by its heading, which may name situations, or by the form of its cells. */
const columnOf = (
  { header, rows }: Table,
  reader: Reader
): { readonly at: number; readonly kind: "errors" | "situations" | "unnamed" } => {
  const errors = header.findIndex((cell) => ERROR_COLUMN.test(cell) || reader.says("errorColumn", cell))
  if (errors >= 0) return { at: codesColumn(rows, errors), kind: "errors" }
  const situations = header.findIndex((cell) => SITUATION_COLUMN.test(cell) || reader.says("situationColumn", cell))
  return situations >= 0
    ? { at: codesColumn(rows, situations), kind: "situations" }
    : { at: codesColumn(rows, 0), kind: "unnamed" }
}

/**
 * Rows of a table whose cells are errors, not fields of an error object, by the heading of a column or by the form of most
 * cells. A column that says what to do is not a meaning.
 */
const inTable = (table: Table, reader: Reader): ReadonlyArray<Found> => {
  const { header, rows } = table
  const isAdvice = (cell: string): boolean => ADVICE_COLUMN.test(cell) || reader.says("adviceColumn", cell)
  const { at, kind } = columnOf(table, reader)
  const named = rows.filter((row) => nameIn(row[at] ?? "") !== null).length
  if (FIELD_COLUMN.test(header[0] ?? "") || reader.says("fieldColumn", header[0] ?? "")) return []
  if (kind === "unnamed" && named * 2 <= rows.length) return []
  return rows.flatMap((row): ReadonlyArray<Found> => {
    const cell = (row[at] ?? "").trim()
    if (cell === "" || cell.length > NAME_CHARACTERS || SUCCESS.test(cell)) return []
    const said = row.filter((_, index) => index !== at && !isAdvice(header[index] ?? "")).join(" ")
    const statuses = STATUS.test(cell) ? (cell.match(STATUSES) ?? []) : []
    if (statuses.length > 0) return statuses.map((status) => [status, `${cell.replaceAll(STATUSES, "")} ${said}`])
    const name = kind === "situations" ? nameWithin(cell) : cell
    return name === null ? [] : [[name, said]]
  })
}

const TOKEN = /^[A-Za-z][\w.-]{2,60}$/

/** Where statuses repeat, the column of codes that tells most of the rows apart; else `first`. */
const codesColumn = (rows: Table["rows"], first: number): number => {
  const different = (column: number): number => new Set(rows.map((row) => (row[column] ?? "").trim())).size
  if (!rows.every((row) => STATUS.test((row[first] ?? "").trim())) || different(first) === rows.length) return first
  return rows
    .reduce<ReadonlyArray<number>>(
      (columns, row) => columns.filter((column) => TOKEN.test((row[column] ?? "").trim())),
      (rows[0] ?? []).map((_, index) => index)
    )
    .reduce((best, column) => (different(column) > different(best) ? column : best), first)
}

const ITEM =
  /^[\s•*-]*[`"'*]*((?:(?:HTTP(?:\/\d(?:\.\d)?)?|Status|Error|Code)(?:: ?| )){0,3}[45]\d\d|[A-Za-z_][\w.:]{0,80})[`"'*]*(?:\s?[:–—-]{1,3}\s+|\s+\(|\s+)(\S.*)$/i
const ALONE = /^[\s•*-]*(?:(?:class|exception|error)\s+)?[\w.:]+(?:\(.*\))?$/

/** Items of lists: `404 – no such order`; a class on a line of its own, with its meaning on the next. */
const inLines = (lines: ReadonlyArray<string>, reader: Reader): ReadonlyArray<Found> =>
  lines.flatMap((line, index): ReadonlyArray<Found> => {
    const text = withoutLead(line.slice(0, 400), reader)
    if (ALONE.test(text)) {
      const name = nameIn(text.replace(/^[\s•*-]+/, ""))
      const next = lines[index + 1] ?? ""
      return name === null ? [] : [[name, /\s/.test(next.trim()) && nameIn(next) === null ? next : null]]
    }
    const [, lead = "", rest = ""] = ITEM.exec(text) ?? []
    const name = nameIn(lead)
    return name === null ? [...inOutcome(text), ...inSentence(text, reader)] : [[name, rest]]
  })

/** `Requests without a token result in 401 Unauthorized`: what is wrong comes before the status. */
const OUTCOME =
  /^(.{8,300}?) (?:results? in|answered with|rejected with|responds? with|returns?|leads? to|gives?|causes?|yields?|produces?) (?:(?:an?|the|HTTP|status|code|error) ){0,4}([45]\d\d)\b.{0,60}$/i

/** Fewer words name who answers, not what is wrong: "The server returns 500". */
const OUTCOME_WORDS = 4

const inOutcome = (line: string): ReadonlyArray<Found> => {
  const [, meaning = "", status] = OUTCOME.exec(line) ?? []
  return status === undefined || wordsIn(meaning).length < OUTCOME_WORDS ? [] : [[status, meaning]]
}

/** `If you get an error 501, check the type`, `A 409 or 422 error means that the body is wrong`. */
const SENTENCE = /^([^\d.:;!?]{1,80}[ '’])([45]\d\d)(?: \p{L}{1,4} ([45]\d\d))?(?![\d.])(.{20,})$/u
const ERROR_BEFORE = /\b(?:errors?|status(?: code)?|http|code)$/i
const ERROR_AFTER = /^ errors?\b/i
/** The status has its name after it: "a 415 Unsupported Media Type error". */
const NAMED_AFTER = /^(?: [A-Z][A-Za-z-]{1,20}){1,4} (?:errors?|responses?)\b/

/** A sentence that begins with an error and goes on with what it means, or what to do. */
const inSentence = (line: string, reader: Reader): ReadonlyArray<Found> => {
  const [, before = "", first, second, rest = ""] = SENTENCE.exec(line) ?? []
  const lead = before.trim()
  const isError =
    ERROR_BEFORE.test(lead) ||
    ERROR_AFTER.test(rest) ||
    NAMED_AFTER.test(rest) ||
    reader.says("errors", lead.split(" ").at(-1) ?? "")
  return isError ? [first, second].flatMap((status) => (status === undefined ? [] : [[status, rest] as const])) : []
}

/** Errors that a sample catches, compares or is answered with: named, not explained. */
const CAUGHT =
  /\b(?:except|catch|rescue|raise|throws?)\b[\s({]*((?:[A-Za-z_]\w*(?:\.|::|\\))*[A-Z]\w+)|\bstatus(?:_?code)?\W{1,6}([45]\d\d)\b|^([45]\d\d) [A-Z][A-Za-z -]{2,40}$/gm

const caughtIn = (code: string): ReadonlyArray<Found> =>
  [...code.slice(0, 10_000).matchAll(CAUGHT)].flatMap(([, name, status, answered]): ReadonlyArray<Found> => {
    const found = name ?? status ?? answered
    return found === undefined ? [] : [[found, null]]
  })

/** The standard reason phrases, and words of a declaration, are not an explanation. */
const REASONS =
  /\b(?:bad request|unauthori[sz]ed|payment required|forbidden|not found|method not allowed|not acceptable|request timeout|conflict|gone|unprocessable (?:entity|content)|too many requests|internal server error|server error|not implemented|bad gateway|service unavailable|gateway timeout|i['’]m a teapot|errors?|exceptions?|yes|no|public|static|final|class|struct|enum|const|void|int|long|string)\b/gi

/** What generators say of every class is none: `Bases: AcmeError, Exception`. */
const BASES = /\bBases:\s?[\w.]{1,200}(?:, ?[\w.]{1,200}){0,5}/g

/** Minimum number of words besides the code's own name. */
const MEANING_WORDS = 2
const MEANING_CHARACTERS = 8

export const isMeaning = (text: string, name: string, reader: Reader): boolean => {
  const said = reader.without("reason", text.replaceAll(name, " ").replace(BASES, " ").replace(REASONS, " "))
  const words = wordsIn(said.replaceAll(/['’]/g, "")).filter((word) => /\p{L}{2}/u.test(word))
  return words.length >= MEANING_WORDS && readingLength(words.join("")) >= MEANING_CHARACTERS
}

const ADVICE_COLUMN =
  /\b(?:resolution|solutions?|fix(?:es)?|actions?|what to do|how to (?:fix|resolve|handle|solve)|remed(?:y|ies)|retry|retryable|recommend(?:ed|ation)|handling|next steps?|mitigation|suggestion)\b/i
const ADVICE_HEADING =
  /\b(?:handl(?:e|ing)|retr(?:y|ies|ying)|troubleshoot(?:ing)?|resol(?:ve|ving|ution)|recover(?:y|ing)?|what to do|how to fix|solutions?|catching|back-?off)\b/i
const ADVICE_WORDS =
  /\b(?:check|verify|retry|retrying|try (?:again|your)|please try|ensure|make sure|contact|wait|slow down|back ?off|reduce|increase|you (?:can|should|must|need)|should|must be|do not|don['’]t|instead|adjust|correct|review|re-?authenticate|refresh|upgrade|consider|use (?:a|an|the|another|different|asynchronous))\b/i
/** Minimum number of errors with words of advice, where there are others: a single one may be a coincidence. */
const ADVISED_ERRORS = 2

const givesAdvice = ({ found, passage: { codeBlocks, sections, tables } }: ErrorPassage, reader: Reader): boolean =>
  tables.some(({ header }) => header.some((cell) => ADVICE_COLUMN.test(cell) || reader.says("adviceColumn", cell))) ||
  sections.some(({ heading }) => ADVICE_HEADING.test(heading) || reader.says("adviceHeading", heading)) ||
  (found.length > 0 && codeBlocks.some(({ text }) => caughtIn(text).some(([name]) => !/^\d/.test(name))))

const advises = (found: ReadonlyArray<Found>, reader: Reader): boolean => {
  const named = new Set(found.map(([name]) => keyOf(name)))
  const advised = new Set(
    found.flatMap(([name, meaning]) =>
      meaning !== null && (ADVICE_WORDS.test(meaning) || reader.says("advice", meaning)) ? [keyOf(name)] : []
    )
  )
  return advised.size > 0 && advised.size >= Math.min(ADVISED_ERRORS, named.size)
}
