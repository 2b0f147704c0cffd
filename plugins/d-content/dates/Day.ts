/** A day as `YYYY-MM-DD`. */
export type Day = string

const lengthOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** The day, or none if there is no such day. */
export const dayOf = (year: number, month: number, day: number): ReadonlyArray<Day> =>
  month < 1 || month > 12 || day < 1 || day > lengthOf(year, month) ? [] : [written(year, month, day)]

/** The day; without one, the last of the month, or `today` if that is earlier, because an entry of the current month is not in the future. */
export const monthOrDay = (year: number, month: number, day: string | undefined, today: Day): ReadonlyArray<Day> =>
  day !== undefined ? dayOf(year, month, Number(day)) : month < 1 || month > 12 ? [] : lastDayOf(year, month, today)

const lastDayOf = (year: number, month: number, today: Day): ReadonlyArray<Day> => {
  const day = written(year, month, lengthOf(year, month))
  return [day > today && written(year, month, 1) <= today ? today : day]
}

const written = (year: number, month: number, day: number): Day =>
  `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`

/** The newest day that is not after `today`. */
export const newestUpTo = (days: ReadonlyArray<Day>, today: Day): Day | null =>
  days
    .filter((day) => day <= today)
    .reduce<Day | null>((newest, day) => (newest === null || day > newest ? day : newest), null)

export const daysBetween = (from: Day, to: Day): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
