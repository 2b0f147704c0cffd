/** A path segment that names a version: `v2`, `2.1`, `v1.0.3`, `1.x`, `latest`, `stable`, `main`. */
export const VERSION_SEGMENT = /^(?:v\d{1,4}(?:[.-](?:\d{1,4}|x)){0,3}|\d{1,4}(?:\.(?:\d{1,4}|x)){1,3}|latest|stable|main)$/i

/** Versions that are under work, and nobody's default. */
const UNRELEASED = /^(?:next|dev|devel|develop|nightly|edge|canary|master|unstable|preview)$/i

/**
 * The first path segment that names a version, released or not, lower case; `null` where there is none. A word at the
 * very end (`/docs/preview`) is a page's name.
 */
export const versionIn = (path: string): string | null => {
  const segments = path.split("/")
  return segments.find((segment, index) =>
    (VERSION_SEGMENT.test(segment) || UNRELEASED.test(segment)) && (/\d/.test(segment) || index < segments.length - 1)
  )?.toLowerCase() ?? null
}

const CURRENT = new Set(["latest", "stable"])

/**
 * The versions whose pages belong to the documentation as its base shows it: the base's own; where it shows none, the
 * current one (`latest`, `stable`), or, where nobody says which that is, the highest.
 */
export const versionsInForce = (base: string, paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const own = versionIn(`${base}/`)
  if (own !== null) return new Set([own])
  const all = new Set(paths.flatMap((path) => versionIn(path) ?? []))
  const current = [...all].filter((version) => CURRENT.has(version))
  if (current.length > 0) return new Set(current)
  const numbered = [...all].filter((version) => /\d/.test(version)).sort(byNumbers)
  return new Set(numbered.slice(-1))
}

const numbersOf = (version: string): ReadonlyArray<number> =>
  (version.match(/\d+|x/g) ?? []).map((part) => (part === "x" ? Number.MAX_SAFE_INTEGER : Number(part)))

const byNumbers = (one: string, other: string): number => {
  const [left, right] = [numbersOf(one), numbersOf(other)]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return one < other ? -1 : 1
}
