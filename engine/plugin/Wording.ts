/** Numbers, lists and URLs as findings show them: `1 page`, `12,345 pages`, `85%`, `/guide/start`. */

/** URLs may be of any length; a sentence may not. */
const URL_CHARACTERS = 80

/** A noun or a verb in both numbers: `["page", "pages"]`, `["has", "have"]`. */
export type Forms = readonly [singular: string, plural: string]

/** With a comma between thousands: `12,345`. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",")

/** `1 page`, `3 pages`, `no pages`; `plural` where an `s` is not enough. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  count === 0 ? `no ${plural}` : `${grouped(count)} ${count === 1 ? singular : plural}`

/** A difference with its sign: `+1,234`, `−2`, `0`. */
export const signed = (difference: number): string =>
  difference === 0 ? "0" : `${difference > 0 ? "+" : "−"}${grouped(Math.abs(difference))}`

/** A score in words: `82`; `at least 43` of an unreliable report, as what could not be checked earned nothing. */
export const scoreWords = (score: number, reliable: boolean): string => (reliable ? String(score) : `at least ${score}`)

/** The beginning of a sentence: `All 5 pages have`, `4 of 5 pages have`, `No page has`. Of one: `The page has`. */
export const someOf = (part: number, whole: number, [singular, plural]: Forms, [has, have]: Forms): string => {
  if (part === 0 || whole === 1) return `${part === 0 ? "No" : "The"} ${singular} ${has}`
  const all = `${grouped(whole)} ${plural}`
  return part === whole ? `All ${all} ${have}` : `${grouped(part)} of ${all} ${part === 1 ? has : have}`
}

/** `a`, `a and b`, `a, b and c`. */
export const enumerated = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`

/** The same for names that may have commas or conjunctions of their own: these are separated by semicolons. */
export const itemised = (names: ReadonlyArray<string>): string =>
  names.length > 1 && names.some((name) => /, | and | or /.test(name)) ? names.join("; ") : enumerated(names)

/** `a, b and 3 more`: the first names up to a maximum. `of`: how many there are, if not all are given. */
export const firstNamed = (names: ReadonlyArray<string>, most: number, of = names.length): string => {
  const shown = names.slice(0, most)
  return `${shown.join(", ")}${of > shown.length ? ` and ${grouped(of - shown.length)} more` : ""}`
}

/** `a`, `a or b`, `a, b or c`. */
export const either = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}`

/** 100% and 0% only for all and none. */
export const percent = (share: number): string => {
  const rounded = Math.round(share * 100)
  return `${share < 1 && share > 0 ? Math.min(99, Math.max(1, rounded)) : rounded}%`
}

/** A URL on the site by its path; a long one is cut after a part of it. */
export const pathShown = (url: string): string => {
  const parsed = URL.parse(url)
  const path = parsed === null ? url : `${parsed.pathname}${parsed.search}`
  if (path.length <= URL_CHARACTERS) return path
  const cut = path.slice(0, URL_CHARACTERS - 1)
  const end = Math.max(...["/", "-", "_", ".", "?", "&"].map((separator) => cut.lastIndexOf(separator)))
  return `${end > URL_CHARACTERS / 2 ? cut.slice(0, end + 1) : cut}…`
}

/** A URL by its path; on another host than `base`, with its host, so that it is not taken for one of the base's. */
export const addressShown = (url: string, base: string): string => {
  const host = URL.parse(url)?.host
  return host === undefined || host === URL.parse(base)?.host ? pathShown(url) : host.slice(0, 80) + pathShown(url)
}

/** With the first letter in upper case. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
