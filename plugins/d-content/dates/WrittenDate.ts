import type { Language } from "../../../engine/text/languages/Language.ts"
import { type Day, dayOf, dayOrMonth, type DayOrMonth } from "./Day.ts"
import { foreignDates } from "./ForeignDate.ts"

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?"
const YEAR = "((?:19|20)\\d\\d)"
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?"

const ISO = /(?<![\d.-])((?:19|20)\d\d)[-/](\d{1,2})[-/](\d{1,2})(?![\d-])/g
const MONTH_FIRST = new RegExp(`\\b${MONTH} ${DAY},? ${YEAR}\\b`, "gi")
const DAY_FIRST = new RegExp(`\\b${DAY}(?: of)?[ -]${MONTH},?[ -]${YEAR}\\b`, "gi")
const MONTH_ONLY = new RegExp(`(?<!\\d(?:st|nd|rd|th)?(?: of)?[ -])\\b${MONTH},? ${YEAR}\\b`, "gi")
/** Elsewhere in a line it is often the name of a version, as `2026-03-preview` is. */
const ISO_MONTH = /^[\s#=*[(-]{0,8}((?:19|20)\d\d)[-/](\d{2})(?![-/.]?\w)/

/** Maximum number of characters to read. */
const CHARACTERS = 100_000

/**
 * The dates in a text, in no order: ISO days, written days and months with a year (`3 May 2026`, `May 2026`), and an ISO month at
 * its beginning. Years alone, versions (`2026.5.3`) and ambiguous numbers do not count.
 */
export const datesIn = (text: string, languages: ReadonlySet<Language> = ENGLISH): ReadonlyArray<DayOrMonth> => {
  const head = text.slice(0, CHARACTERS)
  return languages.size === 0 ? englishDates(head) : [...englishDates(head), ...foreignDates(head, languages)]
}

const ENGLISH: ReadonlySet<Language> = new Set()

const englishDates = (head: string): ReadonlyArray<DayOrMonth> => {
  const matches = (pattern: RegExp) => [...head.matchAll(pattern)]
  return [
    ...matches(ISO).flatMap(([, year, month, day]) => dayOf(Number(year), Number(month), Number(day))),
    ...matches(MONTH_FIRST).flatMap(([, month = "", day, year]) => dayOf(Number(year), monthOf(month), Number(day))),
    ...matches(DAY_FIRST).flatMap(([, day, month = "", year]) => dayOf(Number(year), monthOf(month), Number(day))),
    ...matches(MONTH_ONLY).flatMap(([, month = "", year]) => dayOrMonth(Number(year), monthOf(month), undefined)),
    ...isoMonth(head)
  ]
}

const isoMonth = (head: string): ReadonlyArray<DayOrMonth> => {
  const [, year, month] = ISO_MONTH.exec(head) ?? []
  return year === undefined ? [] : dayOrMonth(Number(year), Number(month), undefined)
}

const NUMERIC = /^\s*(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d)\s*$/

/**
 * The days in a column of dates that are numbers with the year last, such as `20/05/2026`. One whose first or second number is
 * above 12 tells which of them the day is; with full stops it is the first. A column that may be read both ways has none.
 */
export const datesOfColumn = (cells: ReadonlyArray<string>): ReadonlyArray<Day> => {
  const numbers = cells.flatMap((cell) => {
    const [, first, separator, second, year] = NUMERIC.exec(cell) ?? []
    return year === undefined ? [] : [{ first: Number(first), second: Number(second), year: Number(year), separator }]
  })
  const dayFirst = numbers.some(({ first, separator }) => first > 12 || separator === ".")
  const monthFirst = numbers.some(({ second }) => second > 12)
  if (dayFirst === monthFirst) return []
  return numbers.flatMap(({ first, second, year }) =>
    dayFirst ? dayOf(year, second, first) : dayOf(year, first, second)
  )
}

const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
