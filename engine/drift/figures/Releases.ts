import type { FigureText } from "./FigureText.ts"

const CHANGELOG = /\b(?:change[- ]?logs?|release (?:notes|history)|version history)\b/i

const VERSION = /(?<![\w.-])v?(\d{1,4}(?:\.\d{1,4}){1,2})(?![\w.-])/g

const UNRELEASED = /\b(?:unreleased|upcoming|next|planned|draft)\b/i

/**
 * The newest release by a changelog of the API that has the described version, too: only then are its numbers those of the description.
 * `null` where the text is no such changelog, or its releases have no order.
 */
export const newestRelease = (
  { sections, title, url }: FigureText,
  { api, version }: { readonly api: string; readonly version: string }
): string | null => {
  const titles = [title, sections[1]?.heading ?? ""]
  if (!titles.some((text) => CHANGELOG.test(text)) || !isOfApi(`${titles.join(" ")} ${url}`, api)) return null
  const headings = sections.map(({ heading }) => heading)
  if (headings.some((heading) => UNRELEASED.test(heading))) return null
  const releases = headings.flatMap((heading) => {
    const [one, ...more] = [...heading.matchAll(VERSION)].flatMap(([, number]) => number ?? [])
    return one === undefined || more.length > 0 ? [] : [one]
  })
  const parts = partsOf(version)
  const [first] = releases
  if (first === undefined || !releases.includes(version.trim()) || parts.length < 2) return null
  if (releases.some((release) => partsOf(release).length !== parts.length)) return null
  const isSorted = releases.every((release, at) => at === 0 || isNewer(releases[at - 1] ?? "", release))
  return isSorted ? first : null
}

const isOfApi = (titles: string, api: string): boolean =>
  /\bapi\b/i.test(titles) || (api !== "" && titles.toLowerCase().includes(api.toLowerCase()))

const partsOf = (version: string): ReadonlyArray<number> => version.trim().split(".").map(Number)

const isNewer = (one: string, other: string): boolean => {
  const [left, right] = [partsOf(one), partsOf(other)]
  const at = left.findIndex((part, index) => part !== right[index])
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0)
}
