/** Characters of a body that are compared. */
const COMPARED_CHARACTERS = 200_000

/**
 * A body without what a response at another URL would have otherwise: `own` (its URL and parts of it), tokens with a digit
 * (numbers, nonces, hashes) and white space. Two error pages of one server are equal then; two pages with text of their own
 * are not.
 */
export const comparableBody = (text: string, own: ReadonlyArray<string>): string =>
  own
    .reduce((rest, part) => rest.replaceAll(part, ""), text.slice(0, COMPARED_CHARACTERS))
    .replace(/[A-Za-z0-9+/_=-]+/g, (token) => (/[0-9]/.test(token) ? "" : token))
    .replace(/\s+/gu, "")

/** The forms in which a body may repeat its URL, longest first: whole, path, last segment, that without extension. */
export const formsOf = (url: string): ReadonlyArray<string> => {
  const path = URL.parse(url)?.pathname ?? ""
  const name = path.split("/").findLast((segment) => segment !== "") ?? ""
  return [url, path, name, withoutExtension(name)].filter((form) => form.length > 2)
}

/** Cut at the first dot after which only letters, digits and dots follow. */
const withoutExtension = (name: string): string => {
  let start = name.length
  while (start > 0 && /[a-z0-9.]/i.test(name.charAt(start - 1))) start--
  const dot = name.indexOf(".", start)
  return dot < 0 || dot === name.length - 1 ? name : name.slice(0, dot)
}
