const VERSION =
  /^(?:v\d{1,3}(?:[._]\d{1,3}){0,2}(?:(?:alpha|beta|rc|preview)\d{0,3})?|\d{4}-\d{2}(?:-\d{2})?|\d{1,2}\.\d{1,3})$/i

/** A segment of a path that names a version of an API: `v1`, `v2.1`, `v1beta1`, `2024-05`, `1.0`. */
export const isVersionSegment = (segment: string): boolean => VERSION.test(segment)

const numberOf = (version: string): string =>
  version
    .toLowerCase()
    .replace(/^v/, "")
    .replaceAll("_", ".")
    .replace(/(?:\.0)+$/, "")

/** Whether two segments name the same version: `v2`, `V2.0` and `2.0` do. */
export const isSameVersion = (one: string, other: string): boolean => numberOf(one) === numberOf(other)

/** The versions that a text names: `v2`, `version 2`, `2024-05-01`. URLs and paths in it do not count. */
export const versionsNamed = (text: string): ReadonlyArray<string> => {
  const words = text
    .slice(0, TEXT)
    .split(/\s+/)
    .filter((word) => !word.includes("/"))
    .map((word) => word.replace(/^[("'`[]{1,3}/, "").replace(/[)"'`\],.;:!?]{1,3}$/, ""))
  return words.flatMap((word, index) => {
    const before = words[index - 1] ?? ""
    if (isVersionSegment(word)) return [word]
    return VERSION_WORD.test(before) && /^\d{1,3}(?:\.\d{1,3}){0,2}$/.test(word) ? [`v${word}`] : []
  })
}

const TEXT = 20_000
const VERSION_WORD = /^(?:version|release|versi[oó]n|vers[aã]o|версии?|версия|api)$/iu
