import { fileURLToPath } from "node:url"

/*
 * Apart from `Database.ts`, because the start of a service needs the path before it loads anything else.
 */

/** The database of a service that is told of none. */
export const DEFAULT_DATABASE_URL = "file:data/docgauge.db"

/** The path in `file:PATH` or `file:///PATH`; `null` if a URL is neither. */
export const databaseFile = (url: string): string | null => {
  if (!url.startsWith("file:") || /[?#\0]/.test(url) || url.endsWith("/")) return null
  const path = url.slice("file:".length)
  if (!path.startsWith("//")) return path === "" ? null : path
  try {
    return fileURLToPath(url)
  } catch {
    return null
  }
}
