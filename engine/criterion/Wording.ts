/** Numbers and addresses as findings put them: `1 page`, `12 345 pages`, `85 %`, `/guide/start`. */

/** Addresses may be of any length; a sentence may not. */
const ADDRESS_CHARACTERS = 80

/** With a space between thousands: `12 345`. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, " ")

/** `1 page`, `3 pages`, `no page`; `plural` where an `s` does not do. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  count === 0 ? `no ${singular}` : `${grouped(count)} ${count === 1 ? singular : plural}`

/** `All 5 pages`, `4 of 5 pages`, `None of 5 pages`: to begin a sentence whose verb is plural. Of one: `The page`, `Not the page`. */
export const someOf = (part: number, whole: number, singular: string, plural = `${singular}s`): string => {
  if (whole === 1) return part === 1 ? `The ${singular}` : `Not the ${singular}`
  const all = `${grouped(whole)} ${plural}`
  return part === 0 ? `None of ${all}` : part === whole ? `All ${all}` : `${grouped(part)} of ${all}`
}

/** `a`, `a and b`, `a, b and c`. */
export const enumerated = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`

/** Never 100 % nor 0 % unless it is all or none. */
export const percent = (share: number): string => {
  const rounded = Math.round(share * 100)
  return `${share < 1 && share > 0 ? Math.min(99, Math.max(1, rounded)) : rounded} %`
}

/** An address on the site by its path. */
export const pathShown = (url: string): string => {
  const parsed = URL.parse(url)
  const path = parsed === null ? url : `${parsed.pathname}${parsed.search}`
  return path.length <= ADDRESS_CHARACTERS ? path : `${path.slice(0, ADDRESS_CHARACTERS - 1)}…`
}
