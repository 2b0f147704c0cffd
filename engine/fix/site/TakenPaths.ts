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
