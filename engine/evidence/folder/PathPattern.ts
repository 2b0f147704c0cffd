/** What a rule's path matched: the values of `:name` placeholders, and of `*` under `splat`. */
export type PathMatch = ReadonlyMap<string, string>

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
