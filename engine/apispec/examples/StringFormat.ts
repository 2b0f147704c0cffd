/** A text in place of a value, in any usual form: `{{id}}`, `${ID}`, `<your id>`, `YOUR_KEY`, `xxxx`, `…`. It says nothing. */
export const isPlaceholder = (text: string): boolean => text.length <= 1_000 && PLACEHOLDER.test(text)

const PLACEHOLDER =
  /\{\{|\$\{|\$\(|^\$[A-Za-z_]|^%[\w-]{1,100}%$|^<.{0,300}>$|^\{[\w .:-]{0,100}\}$|^\[[\w .:-]{0,100}\]$|…|\.\.\.|\b(?:YOUR|MY|INSERT|REPLACE|TODO)\b|^(?:your|my|insert|replace|some|any|todo)[-_ ]|x{3,}|\*{3,}|_{3,}/i

/** What generators write for any string, and names of parts of a date. */
export const isStringPlaceholder = (text: string): boolean =>
  text === "" || text === "string" || /yyyy|mm-dd|hh:mm/i.test(text)

/**
 * What a format wants where a text is unmistakably not of it; `null` else. Formats are annotations: only texts that cannot be
 * read as one are named. A date may lack its zone, a URI its scheme, and any be in quotes.
 */
export const unmetFormat = (format: string, text: string): string | null => {
  const wants = WANTS[format]
  const unquoted = text.trim().replace(/^["']|["']$/g, "")
  return wants !== undefined && text.length <= 2_000 && isNone(format, unquoted) ? wants : null
}

const WANTS: Readonly<Record<string, string>> = {
  uuid: "a UUID",
  date: "a date (RFC 3339)",
  "date-time": "a date and time (RFC 3339)",
  uri: "a URI"
}

const isNone = (format: string, text: string): boolean => {
  if (format === "uuid") return !/^(?:urn:uuid:)?\{?[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}\}?$/i.test(text)
  if (format === "uri") return /\s/.test(text) || !/[.:/]/.test(text)
  return !isDate(text)
}

/** It begins with a year, or with a month and a day that there are. */
const isDate = (text: string): boolean => {
  const [, month, day] = /^[+-]?\d{4,6}-(\d\d)-(\d\d)/.exec(text) ?? []
  return month === undefined || day === undefined
    ? /^[+-]?\d{4}/.test(text)
    : Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
}
