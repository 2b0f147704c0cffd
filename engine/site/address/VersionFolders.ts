import { namesVersion, versionIn, versionsInForce } from "./VersionSegment.ts"
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
 * Whether the page at a path belongs to the documentation as its base shows it: no folder of another version, and none of
 * the versions that `versionsInForce` leaves out.
 *
 * @param base the base's path.
 * @param paths all paths that are known.
 */
export const isInForceAmong = (base: string, paths: ReadonlyArray<string>): ((path: string) => boolean) => {
  const folders = repeatedFolders(paths)
  const isRepeated = (path: string): boolean => {
    const folder = versionedAt(path)?.folder
    return folder !== undefined && folders.has(folder) && !`${base}/`.startsWith(folder)
  }
  const versions = versionsInForce(
    base,
    paths.filter((path) => !isRepeated(path))
  )
  return (path) => {
    const version = versionIn(path)
    return !isRepeated(path) && (version === null || versions.has(version))
  }
}

/** Folders of versions whose pages are, to a good part, in the folder around them as well. */
const repeatedFolders = (paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const known = new Set(paths.map(plainPath))
  const pages = new Map<string, { all: number; repeated: number }>()
  for (const path of paths) {
    const versioned = versionedAt(path)
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

/** By the first segment that may be a numbered version and has a page below it. */
const versionedAt = (path: string): Versioned | null => {
  const segments = path.split("/")
  const at = segments.findIndex(
    (segment, index) =>
      index < segments.length - 1 && /\d/.test(segment) && (BARE_NUMBER.test(segment) || namesVersion(segment))
  )
  if (at < 0) return null
  const before = segments.slice(0, at)
  return {
    folder: `${[...before, segments[at]].join("/")}/`,
    outside: [...before, ...segments.slice(at + 1)].join("/")
  }
}

const plainPath = (path: string): string => trimTrailingSlashes(withoutPageEnding(path).replace(/\/index$/, "/"))
