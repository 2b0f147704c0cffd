/** A released version: `v2`, `2.1`, `v1.0.3`, `1.x`, `latest`, `stable`, `main`. */
const VERSION_SEGMENT = /^(?:v\d{1,4}(?:[.-](?:\d{1,4}|x)){0,3}|\d{1,4}(?:\.(?:\d{1,4}|x)){1,3}|latest|stable|main)$/i

/** Versions in development, which are never the default. */
const UNRELEASED = /^(?:next|dev|devel|develop|nightly|edge|canary|master|unstable|preview)$/i

/** A version before its release: `1.0.0rc1`, `v2.0-beta.1`, `v2.1.0-rc3.1`. */
const PRERELEASE =
  /^v?\d{1,4}(?:\.\d{1,4}){1,3}[-.]?(?:rc|alpha|beta|a|b|pre|dev|snapshot)[-.]?\d{0,3}(?:\.\d{1,3}){0,2}$/i

/** The version of one API, which may be in force beside others: `v1beta1`, `v2alpha3`. */
const API_STAGE = /^v\d{1,4}(?:alpha|beta)\d{1,3}$/i

/** A path segment that names a version, released or not. */
export const namesVersion = (segment: string): boolean =>
  VERSION_SEGMENT.test(segment) || PRERELEASE.test(segment) || API_STAGE.test(segment)

/** Folders that name a version and would be pages at the end of a path: `version-2.x`, the date of an API version. */
const VERSION_FOLDER = /^(?:version-\d{1,4}(?:\.(?:\d{1,4}|x)){0,3}|\d{4}-(?:0[1-9]|1[0-2])(?:-\d{2})?)$/i

/** A version in development. */
export const isUnreleased = (version: string): boolean => UNRELEASED.test(version)

/** A folder that names a version, as it may at a path's end only if it is numbered. */
export const namesVersionFolder = (segment: string): boolean =>
  namesVersion(segment) || isUnreleased(segment) || VERSION_FOLDER.test(segment)

/**
 * The first path segment that names a version, released or not, lower case; `null` where there is none. A word at the
 * very end (`/docs/preview`) is a page's name.
 */
export const versionIn = (path: string): string | null => {
  const segments = path.split("/")
  return (
    segments
      .find((segment, index) => {
        if (index === segments.length - 1) return VERSION_SEGMENT.test(segment) && /\d/.test(segment)
        return [VERSION_SEGMENT, UNRELEASED, PRERELEASE, VERSION_FOLDER].some((form) => form.test(segment))
      })
      ?.toLowerCase() ?? null
  )
}

const DATED = /^\d{4}-\d{2}(?:-\d{2})?$/

const CURRENT = new Set(["latest", "stable"])

/**
 * The versions whose pages belong to the documentation as its base shows it: the base's own; where it shows none, the
 * current one (`latest`, `stable`), or, if no link says which that is, the highest.
 */
export const versionsInForce = (base: string, paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const own = versionIn(`${base}/`)
  if (own !== null) return new Set([own])
  const all = new Set(paths.flatMap((path) => versionIn(path) ?? []))
  const current = [...all].filter((version) => CURRENT.has(version))
  if (current.length > 0) return new Set(current)
  const released = [...all].filter((version) => !PRERELEASE.test(version))
  const numbered = (released.length > 0 ? released : [...all]).filter((version) => /\d/.test(version)).sort(byNumbers)
  // A date is the version of an API, or that of a changelog or blog: it is in force beside a number.
  const dated = numbered.filter((version) => DATED.test(version))
  const undated = numbered.filter((version) => !DATED.test(version))
  return new Set(undated.length > 0 ? [...undated.slice(-1), ...dated] : dated.slice(-1))
}

const numbersOf = (version: string): ReadonlyArray<number> =>
  (version.match(/\d+|x/g) ?? []).map((part) => (part === "x" ? Number.MAX_SAFE_INTEGER : Number(part)))

/** Orders texts by the numbers in them, from the first on. */
export const byNumbers = (one: string, other: string): number => {
  const [left, right] = [numbersOf(one), numbersOf(other)]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return one < other ? -1 : 1
}
