import { isUnreleased, namesVersion, namesVersionFolder, versionIn, versionsInForce } from "./VersionSegment.ts"
import { trimTrailingSlashes } from "../../text/Trim.ts"
import { withoutPageEnding } from "../../text/MarkdownFile.ts"

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
export interface VersionTree {
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
