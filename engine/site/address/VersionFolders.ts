import { withoutPageEnding } from "../../text/UrlPath.ts"
import { trimTrailingSlashes } from "../../text/WhiteSpace.ts"

/** A bare number is a version only where its folder repeats the pages of the folder around it: `/docs/3/` beside `/docs/`. */
const BARE_NUMBER = /^\d{1,3}$/

/** A folder is another version of the folder around it if that has this share of its pages. */
const SHARED_PAGES = 0.25

/** The folder of a version that a path is in, and the path as it would be outside. */
interface Versioned {
  readonly folder: string
  readonly outside: string
}

/**
 * Whether the page at a path belongs to the documentation as its base shows it: no folder of another version, none of
 * the versions that `versionsInForce` leaves out, and no page beside the base's version that this has, too.
 *
 * @param base the base's path.
 * @param paths all paths that are known.
 */
export const isInForceAmong = (base: string, paths: ReadonlyArray<string>): ((path: string) => boolean) => {
  const known = new Set(paths.map(plainPath))
  const folders = repeatedFolders(paths, known)
  const isRepeated = (path: string): boolean => {
    const folder = versionedAt(path, namesNumbered)?.folder
    return folder !== undefined && folders.has(folder) && !`${base}/`.startsWith(folder)
  }
  const own = ownFolder(base)
  const isBeside = (path: string): boolean => {
    if (own === null || versionIn(path) !== null || !path.startsWith(own.around)) return false
    const rest = path.slice(own.around.length)
    return plainPath(path) !== plainPath(own.around) && known.has(plainPath(`${own.folder}${rest}`))
  }
  const versions = versionsInForce(
    base,
    paths.filter((path) => !isRepeated(path))
  )
  return (path) => {
    const version = versionIn(path)
    return !isRepeated(path) && !isBeside(path) && (version === null || versions.has(version))
  }
}

/** Another version of the documentation that the base shows. */
interface VersionTree {
  /** Its path, with a slash at its end. */
  readonly folder: string
  /** Pages that are known of it. */
  readonly pages: number
}

/** Minimum number of pages that a folder has in common with the current version before it is taken for another one. */
const LEAST_REPEATED = 2

/** The versions that `isInForceAmong` leaves out and that have a good part of their pages in common with the current one, in the order of their folders. */
export const otherVersionsAmong = (base: string, paths: ReadonlyArray<string>): ReadonlyArray<VersionTree> => {
  const isInForce = isInForceAmong(base, paths)
  const unversioned = (path: string): string => plainPath(versionedAt(path, namesAnyVersion)?.outside ?? path)
  const current = new Set(paths.filter(isInForce).map(unversioned))
  const others = Map.groupBy(
    new Set(paths.filter((path) => !isInForce(path))),
    (path) => versionedAt(path, namesAnyVersion)?.folder ?? ownFolder(base)?.around ?? "/"
  )
  return [...others]
    .filter(([folder, pages]) => {
      const inside = pages.filter((path) => plainPath(path) !== plainPath(folder))
      const repeated = inside.filter((path) => current.has(unversioned(path))).length
      return repeated >= LEAST_REPEATED && repeated >= SHARED_PAGES * inside.length
    })
    .map(([folder, pages]) => ({ folder, pages: new Set(pages.map(plainPath)).size }))
    .toSorted((one, other) => (one.folder < other.folder ? -1 : 1))
}

/** The folder of the version that the base is in, and the one around it; `null`: the base names none, or one in development, whose pages replace no others. */
const ownFolder = (base: string): { readonly around: string; readonly folder: string } | null => {
  const own = versionIn(`${base}/`)
  const segments = base.split("/")
  const at = own === null || isUnreleased(own) ? -1 : segments.findIndex((segment) => segment.toLowerCase() === own)
  return at < 0
    ? null
    : { around: `${segments.slice(0, at).join("/")}/`, folder: `${segments.slice(0, at + 1).join("/")}/` }
}

/** Folders of versions whose pages are, to a good part, in the folder around them as well. */
const repeatedFolders = (paths: ReadonlyArray<string>, known: ReadonlySet<string>): ReadonlySet<string> => {
  const pages = new Map<string, { all: number; repeated: number }>()
  for (const path of paths) {
    const versioned = versionedAt(path, namesNumbered)
    // The index of any numbered folder has a page around it (`/errors/429/`), which makes the number no version.
    if (versioned === null || plainPath(path) === plainPath(versioned.folder)) continue
    const tally = pages.get(versioned.folder) ?? { all: 0, repeated: 0 }
    tally.all++
    if (known.has(plainPath(versioned.outside))) tally.repeated++
    pages.set(versioned.folder, tally)
  }
  return new Set(
    [...pages]
      .filter(([, { all, repeated }]) => repeated > 0 && repeated >= SHARED_PAGES * all)
      .map(([folder]) => folder)
  )
}

const namesNumbered = (segment: string): boolean => BARE_NUMBER.test(segment) || namesVersion(segment)

const namesAnyVersion = (segment: string): boolean => BARE_NUMBER.test(segment) || namesVersionFolder(segment)

/** By the first segment that may be a version and has a page below it. */
const versionedAt = (path: string, names: (segment: string) => boolean): Versioned | null => {
  const segments = path.split("/")
  const at = segments.findIndex((segment, index) => index < segments.length - 1 && names(segment))
  if (at < 0) return null
  const before = segments.slice(0, at)
  return {
    folder: `${[...before, segments[at]].join("/")}/`,
    outside: [...before, ...segments.slice(at + 1)].join("/")
  }
}

const plainPath = (path: string): string => trimTrailingSlashes(withoutPageEnding(path).replace(/\/index$/, "/"))

/** A released version: `v2`, `2.1`, `v1.0.3`, `1.x`, `latest`, `stable`, `main`. */
const VERSION_SEGMENT = /^(?:v\d{1,4}(?:[.-](?:\d{1,4}|x)){0,3}|\d{1,4}(?:\.(?:\d{1,4}|x)){1,3}|latest|stable|main)$/i

/** Versions in development, which are never the default. */
const UNRELEASED = /^(?:next|dev|devel|develop|nightly|edge|canary|master|unstable|unreleased|snapshot|trunk|preview)$/i

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
const isUnreleased = (version: string): boolean => UNRELEASED.test(version)

/** A folder that names a version, as it may at a path's end only if it is numbered. */
const namesVersionFolder = (segment: string): boolean =>
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

/** Where fewer of its pages are known than this share of those of the highest version, `latest` only leads to that one. */
const LEADING = 0.25

/**
 * The versions whose pages belong to the documentation as its base shows it: the base's own; where it shows none, the
 * current one (`latest`, `stable`), or, if no link says which that is or it only leads to a numbered one, the highest.
 */
export const versionsInForce = (base: string, paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const own = versionIn(`${base}/`)
  if (own !== null) return new Set([own])
  const pages = new Map<string, number>()
  for (const path of paths) {
    const version = versionIn(path)
    if (version !== null) pages.set(version, (pages.get(version) ?? 0) + 1)
  }
  const all = new Set(pages.keys())
  const pagesOf = (version: string): number => pages.get(version) ?? 0
  const current = [...all].filter((version) => CURRENT.has(version))
  const released = [...all].filter((version) => !PRERELEASE.test(version))
  const numbered = (released.length > 0 ? released : [...all]).filter((version) => /\d/.test(version)).sort(byNumbers)
  // A date is the version of an API, or that of a changelog or blog: it is in force beside a number.
  const dated = numbered.filter((version) => DATED.test(version))
  const undated = numbered.filter((version) => !DATED.test(version))
  const isLeading = (version: string): boolean => pagesOf(version) < LEADING * pagesOf(undated.at(-1) ?? "")
  if (current.length > 0) return new Set(current.every(isLeading) ? [...current, ...undated.slice(-1)] : current)
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
