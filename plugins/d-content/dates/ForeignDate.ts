import { folded, type Language } from "../../../engine/text/languages/Language.ts"
import { MONTHS } from "../../../engine/text/languages/Vocabulary.ts"
import { dayOf, dayOrMonth, type DayOrMonth } from "./Day.ts"

/** Year, month and day with their signs in Chinese, Japanese and Korean. */
const SIGNED = /((?:19|20)\d\d) ?[年년] ?(\d{1,2}) ?[月월](?: ?(\d{1,2}) ?[日일])?/g

/** `2026.5.3`, which is a version elsewhere. */
const YEAR_FIRST = /(?<![\d.a-z])((?:19|20)\d\d)\. ?(\d{1,2})\. ?(\d{1,2})(?!\d|\.\d)/g

const WIDE: ReadonlyArray<Language> = ["ja", "ko", "zh"]

/** `3.5.2026` and `03/05/2026`: the day comes first in the other languages. */
const DAY_FIRST = /(?<![\d./-])(\d{1,2})([./])(\d{1,2})\2((?:19|20)\d\d)(?!\d|[./]\d)/g

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
export const foreignDates = (text: string, languages: ReadonlySet<Language>): ReadonlyArray<DayOrMonth> => {
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
    ...matches(written.length > 0 ? DAY_FIRST : null).flatMap(([, day, , month, year]) =>
      dayOf(Number(year), Number(month), Number(day))
    ),
    ...written.flatMap(({ months, pattern }) =>
      matches(pattern).flatMap(([, day, ...groups]) =>
        dayOrMonth(Number(groups[months]), groups.slice(0, months).findIndex((month) => month !== undefined) + 1, day)
      )
    )
  ]
}
