/** A day as `YYYY-MM-DD`. */
export type Day = string

/** A date as precise as it was written: a day, or a month as `YYYY-MM`. A month sorts before its days. */
export type DayOrMonth = string

const lengthOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** The day, or none if there is no such day. */
export const dayOf = (year: number, month: number, day: number): ReadonlyArray<Day> =>
  month < 1 || month > 12 || day < 1 || day > lengthOf(year, month) ? [] : [`${monthText(year, month)}-${padded(day)}`]

/** The day, or the month if no day was written. */
export const dayOrMonth = (year: number, month: number, day: string | undefined): ReadonlyArray<DayOrMonth> =>
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

const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" })

/** For a sentence: `2026-05-03`, `May 2026`. */
export const dateText = (date: DayOrMonth): string => (isMonth(date) ? MONTH.format(Date.parse(`${date}-01`)) : date)
