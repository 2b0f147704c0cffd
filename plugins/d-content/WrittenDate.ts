/** A day as `YYYY-MM-DD`. */
export type Day = string

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const MONTH = "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?"
const YEAR = "((?:19|20)\\d\\d)"
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?"

const ISO = /(?<![\d.-])((?:19|20)\d\d)[-/](\d{1,2})[-/](\d{1,2})(?![\d-])/g
const MONTH_FIRST = new RegExp(`\\b${MONTH} ${DAY},? ${YEAR}\\b`, "gi")
const DAY_FIRST = new RegExp(`\\b${DAY}(?: of)?[ -]${MONTH},?[ -]${YEAR}\\b`, "gi")
const MONTH_ONLY = new RegExp(`(?<!\\d(?:st|nd|rd|th)?(?: of)?[ -])\\b${MONTH},? ${YEAR}\\b`, "gi")

/** Of a text this much is read, in characters. */
const CHARACTERS = 100_000

/**
 * The dates in a text, in no order: ISO days, written days and months with a year (`3 May 2026`, `May 2026`). Years alone,
 * versions (`2026.5.3`) and numbers that may be a day or a month are none. A month stands for its last day, or for
 * `today` where that is earlier, because an entry of the current month is not in the future.
 */
export const datesIn = (text: string, today: Day): ReadonlyArray<Day> => {
  const head = text.slice(0, CHARACTERS)
  const matches = (pattern: RegExp) => [...head.matchAll(pattern)]
  return [
    ...matches(ISO).flatMap(([, year, month, day]) => dayOf(Number(year), Number(month), Number(day))),
    ...matches(MONTH_FIRST).flatMap(([, month = "", day, year]) => dayOf(Number(year), monthOf(month), Number(day))),
    ...matches(DAY_FIRST).flatMap(([, day, month = "", year]) => dayOf(Number(year), monthOf(month), Number(day))),
    ...matches(MONTH_ONLY).flatMap(([, month = "", year]) => lastDayOf(Number(year), monthOf(month), today))
  ]
}

const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

const lengthOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

const dayOf = (year: number, month: number, day: number): ReadonlyArray<Day> =>
  month < 1 || month > 12 || day < 1 || day > lengthOf(year, month) ? [] : [written(year, month, day)]

const lastDayOf = (year: number, month: number, today: Day): ReadonlyArray<Day> => {
  const day = written(year, month, lengthOf(year, month))
  return [day > today && written(year, month, 1) <= today ? today : day]
}

const written = (year: number, month: number, day: number): Day =>
  `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`

/** The newest day that is not after `today`; `null` where there is none. */
export const newestUpTo = (days: ReadonlyArray<Day>, today: Day): Day | null =>
  days.filter((day) => day <= today).reduce<Day | null>((newest, day) => (newest === null || day > newest ? day : newest), null)

export const daysBetween = (from: Day, to: Day): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
