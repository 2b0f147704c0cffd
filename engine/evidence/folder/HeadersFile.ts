import type { Headers } from "../Exchange.ts"

/** A rule of `_headers`: what it sets, and which headers it removes (`! Name`). */
export interface HeaderRule {
  readonly pattern: PathPattern
  /** Names in lower case. */
  readonly set: Headers
  readonly remove: ReadonlyArray<string>
}

/** More than any host takes. */
const MOST_LINES = 20_000

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/**
 * Reads a `_headers` file of Netlify or Cloudflare Pages: a path in the first column, below it indented `Name: value` lines; `#` for comments.
 * Rules for absolute URLs hold for their path.
 *
 * https://docs.netlify.com/routing/headers/ · https://developers.cloudflare.com/pages/configuration/headers/
 */
export const parseHeaders = (text: string): ReadonlyArray<HeaderRule> => {
  const rules: Array<{
    readonly pattern: PathPattern
    readonly set: Array<readonly [string, string]>
    readonly remove: Array<string>
  }> = []
  for (const line of text.split(/\r?\n/, MOST_LINES)) {
    const content = line.trim()
    if (content === "" || content.startsWith("#")) continue
    if (/^\S/.test(line)) {
      rules.push({ pattern: pathPattern(content.replace(/^https?:\/\/[^/]+/, "")), set: [], remove: [] })
      continue
    }
    const removed = /^!\s*(\S+)$/.exec(content)?.[1]
    if (removed !== undefined) rules.at(-1)?.remove.push(removed.toLowerCase())
    const colon = content.indexOf(":")
    const name = content.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (TOKEN.test(name)) rules.at(-1)?.set.push([name, content.slice(colon + 1).trim()])
  }
  return rules
}

/** The headers of a path: those of every rule that holds for it, in order. */
export const headersFor = (rules: ReadonlyArray<HeaderRule>, path: string): Headers =>
  rules
    .filter(({ pattern }) => pattern(path) !== null)
    .reduce<Headers>((headers, { remove, set }) => [...headers.filter(([name]) => !remove.includes(name)), ...set], [])

/** What a rule's path matched: the values of `:name` placeholders, and of `*` under `splat`. */
type PathMatch = ReadonlyMap<string, string>

/** A path of a rule in `_redirects` or `_headers`: `/docs/*`, `/blog/:year/:slug`. */
export type PathPattern = (path: string) => PathMatch | null

const PLACEHOLDER = /^:[A-Za-z]\w*$/

/**
 * Reads a path pattern. `:name` matches one segment, a final `*` for the rest of the path, empty included. Anything else is literal.
 * A trailing slash makes no difference, as on the hosts that read these files.
 */
export const pathPattern = (pattern: string): PathPattern => {
  const parts = segmentsOf(pattern)
  const splat = parts.at(-1) === "*"
  const fixed = splat ? parts.slice(0, -1) : parts
  return (path) => {
    const given = segmentsOf(path)
    if (splat ? given.length < fixed.length : given.length !== fixed.length) return null
    const values = new Map<string, string>()
    for (const [index, part] of fixed.entries()) {
      const segment = given[index] ?? ""
      if (PLACEHOLDER.test(part)) values.set(part.slice(1), segment)
      else if (part !== segment) return null
    }
    if (splat) values.set("splat", given.slice(fixed.length).join("/"))
    return values
  }
}

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

/** Puts matched values into a target: `/new/:splat`. */
export const filled = (target: string, match: PathMatch): string =>
  target.replace(/:([A-Za-z]\w*)/g, (placeholder, name: string) => match.get(name) ?? placeholder)
