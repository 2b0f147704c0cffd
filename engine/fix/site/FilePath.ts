import { percentDecoded } from "../../text/PercentDecoding.ts"

/** Names that Windows reserves, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** File systems allow 255 bytes. */
const LONGEST_NAME = 200

const LONGEST_PATH = 1_000

/** Room for the folder of the output that a file is written to, such as `site/`. */
const LONGEST_FOLDER = 20

/**
 * The path of the file that a static host would serve at a URL's path, relative to its document root; `null` if that is no safe
 * name on every system: dot segments, control characters, separators, reserved names, overlong names.
 */
export const filePathOf = (url: string): string | null => {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.search !== "") return null
  const path = percentDecoded(parsed.pathname)
  if (path === null) return null
  const file = path.slice(1)
  return path.startsWith("/") && file.length <= LONGEST_PATH - LONGEST_FOLDER && isSafePath(file) ? file : null
}

/** Whether a relative path stays in its folder, and is a name on every system. */
export const isSafePath = (path: string): boolean => path.length <= LONGEST_PATH && path.split("/").every(isSafeName)

const isSafeName = (name: string): boolean =>
  name !== "" &&
  name !== "." &&
  name !== ".." &&
  !/[\p{C}\\:*?"<>|]/u.test(name) &&
  !/[. ]$/.test(name) &&
  Buffer.byteLength(name) <= LONGEST_NAME &&
  !RESERVED.test(name) &&
  !name.startsWith(".git")

/** Paths of files in one folder, on systems that ignore case, too. */
export interface TakenPaths {
  /** Takes a path, unless another file has it, or has the name of one of its folders: then `false`. */
  readonly take: (path: string) => boolean
}

export const takenPaths = (): TakenPaths => {
  const files = new Set<string>()
  const folders = new Set<string>()
  return {
    take: (path) => {
      const name = path.toLowerCase()
      const above = foldersOf(name)
      if (files.has(name) || folders.has(name) || above.some((folder) => files.has(folder))) return false
      files.add(name)
      for (const folder of above) folders.add(folder)
      return true
    }
  }
}

const foldersOf = (path: string): ReadonlyArray<string> =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, index, segments) => segments.slice(0, index + 1).join("/"))
