import { isMarkdownPath } from "./MarkdownFile.ts"

const PAGE_ENDING = /\.(?:x?html?|php|aspx?|jsp|txt)$/i

/** Whether the last segment of a path is a file, as its ending says; `v1.2` is none. */
const isPageFile = (name: string): boolean => isMarkdownPath(name) || PAGE_ENDING.test(name)

/** The folder of a URL's path, with a slash at its end: `/docs/` of `/docs`, `/docs/` and `/docs/index.html`. */
export const folderOf = (path: string): string => {
  const segments = path.split("/").filter((segment) => segment !== "")
  if (!path.endsWith("/") && isPageFile(segments.at(-1) ?? "")) segments.pop()
  return segments.length === 0 ? "/" : `/${segments.join("/")}/`
}
