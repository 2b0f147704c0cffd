import { folded, type Language } from "../../engine/text/languages/Language.ts"
import { MONTHS } from "../../engine/text/languages/Vocabulary.ts"

/** A day as `YYYY-MM-DD`. */
type Day = string

/** A date as precise as it was written: a day, or a month as `YYYY-MM`. A month sorts before its days. */
export type DayOrMonth = string

const lengthOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** The day, or none if there is no such day. */
const dayOf = (year: number, month: number, day: number): ReadonlyArray<Day> =>
  month < 1 || month > 12 || day < 1 || day > lengthOf(year, month) ? [] : [`${monthText(year, month)}-${padded(day)}`]

/** The day, or the month if no day was written. */
const dayOrMonth = (year: number, month: number, day: string | undefined): ReadonlyArray<DayOrMonth> =>
  day !== undefined ? dayOf(year, month, Number(day)) : month < 1 || month > 12 ? [] : [monthText(year, month)]

const monthText = (year: number, month: number): DayOrMonth => `${year}-${padded(month)}`

const padded = (number: number): string => String(number).padStart(2, "0")

export const isMonth = (date: DayOrMonth): boolean => date.length === "2026-05".length

/** The newest date that is not after `today`; a day before the month that it is in. */
export const newestUpTo = (dates: ReadonlyArray<DayOrMonth>, today: Day): DayOrMonth | null =>
  dates
    .filter((date) => date <= today)
    .reduce<DayOrMonth | null>((newest, date) => (newest === null || date > newest ? date : newest), null)

/** Days from a date that is not after `today`, of a month from its last day that is not. */
export const daysSince = (date: DayOrMonth, today: Day): number =>
  Math.max(0, Math.round((Date.parse(today) - Date.parse(lastDayOf(date))) / 86_400_000))

const lastDayOf = (date: DayOrMonth): Day =>
  isMonth(date) ? `${date}-${padded(lengthOf(Number(date.slice(0, 4)), Number(date.slice(5))))}` : date

const MONTH_AND_YEAR = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" })

/** For a sentence: `2026-05-03`, `May 2026`. */
export const dateText = (date: DayOrMonth): string =>
  isMonth(date) ? MONTH_AND_YEAR.format(Date.parse(`${date}-01`)) : date

const ENGLISH_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
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

const monthOf = (name: string): number => ENGLISH_MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

/** Year, month and day with their signs in Chinese, Japanese and Korean. */
const SIGNED = /((?:19|20)\d\d) ?[年년] ?(\d{1,2}) ?[月월](?: ?(\d{1,2}) ?[日일])?/g

/** `2026.5.3`, which is a version elsewhere. */
const YEAR_FIRST = /(?<![\d.a-z])((?:19|20)\d\d)\. ?(\d{1,2})\. ?(\d{1,2})(?!\d|\.\d)/g

const WIDE: ReadonlyArray<Language> = ["ja", "ko", "zh"]

/** `3.5.2026` and `03/05/2026`: the day comes first in the other languages. */
const NUMERIC_DAY_FIRST = /(?<![\d./-])(\d{1,2})([./])(\d{1,2})\2((?:19|20)\d\d)(?!\d|[./]\d)/g

interface Written {
  readonly language: Language
  readonly months: number
  /** Its groups are the day, each month, and the year. */
  readonly pattern: RegExp
}

/** `3. Mai 2026`, `1er mai 2026`, `3 de mayo de 2026`, `3 мая 2026`, each also without the day. */
const WRITTEN: ReadonlyArray<Written> = MONTHS.map(([language, months]) => ({
  language,
  months: months.length,
  pattern: new RegExp(
    `(?<![a-z\\xDF-\\u04FF\\d])(?:(\\d{1,2})(?:\\.|er|o)? ?(?:de )?)?(?:${months.map((month) => `(${month})`).join("|")})\\.?,? (?:del? )?((?:19|20)\\d\\d)(?!\\d)`,
    "g"
  )
}))

/** The dates in a text as they are written in the given languages, in no order. */
const foreignDates = (text: string, languages: ReadonlySet<Language>): ReadonlyArray<DayOrMonth> => {
  const searched = folded(text)
  const isWide = WIDE.some((language) => languages.has(language))
  const written = WRITTEN.filter(({ language }) => languages.has(language))
  const matches = (pattern: RegExp | null): ReadonlyArray<RegExpExecArray> =>
    pattern === null ? [] : [...searched.matchAll(pattern)]
  return [
    ...matches(isWide ? SIGNED : null).flatMap(([, year, month, day]) => dayOrMonth(Number(year), Number(month), day)),
    ...matches(isWide ? YEAR_FIRST : null).flatMap(([, year, month, day]) =>
      dayOf(Number(year), Number(month), Number(day))
    ),
    ...matches(written.length > 0 ? NUMERIC_DAY_FIRST : null).flatMap(([, day, , month, year]) =>
      dayOf(Number(year), Number(month), Number(day))
    ),
    ...written.flatMap(({ months, pattern }) =>
      matches(pattern).flatMap(([, day, ...groups]) =>
        dayOrMonth(Number(groups[months]), groups.slice(0, months).findIndex((month) => month !== undefined) + 1, day)
      )
    )
  ]
}
