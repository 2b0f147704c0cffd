import { statSync } from "node:fs"

/** What a path leads to; `null` for neither, such as a text that is no path at all. */
const kindOf = (path: string): "file" | "folder" | null => {
  try {
    const found = statSync(path)
    return found.isDirectory() ? "folder" : found.isFile() ? "file" : null
  } catch {
    return null
  }
}

export const isFile = (path: string): boolean => kindOf(path) === "file"

export const isFolder = (path: string): boolean => kindOf(path) === "folder"
