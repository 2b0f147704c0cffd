/** A part of a URL without its escapes; `null` if it cannot be decoded: not every `%` begins an escape. */
export const percentDecoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Markdown by file name: `.md`, `.mdx`, `.markdown`, and each of them as a text file, such as `.md.txt`. */
export const MARKDOWN_ENDING = /\.(?:md|mdx|markdown)(?:\.txt)?$/i

/** Registered (RFC 7763), from before that, and MDX. */
const MARKDOWN_TYPES = new Set(["text/markdown", "text/x-markdown", "text/mdx"])

export const isMarkdownPath = (path: string): boolean => MARKDOWN_ENDING.test(path)

/** Whether the URL's path is that of a Markdown file; `false` for what is no URL. */
export const isMarkdownUrl = (url: string): boolean => isMarkdownPath(URL.parse(url)?.pathname ?? "")

/** `type`: lower case, without parameters. */
export const isMarkdownType = (type: string): boolean => MARKDOWN_TYPES.has(type)

export const withoutMarkdownEnding = (path: string): string => path.replace(MARKDOWN_ENDING, "")

/** Without the endings of HTML and Markdown files: `/guide` of `/guide.html`, `/guide.md` and `/guide.html.md`. */
export const withoutPageEnding = (path: string): string => withoutMarkdownEnding(path).replace(/\.x?html?$/i, "")

const PAGE_ENDING = /\.(?:x?html?|php|aspx?|jsp|txt)$/i

/** Whether the last segment of a path is a file, as its ending says; `v1.2` is none. */
const isPageFile = (name: string): boolean => isMarkdownPath(name) || PAGE_ENDING.test(name)

/** The folder of a URL's path, with a slash at its end: `/docs/` of `/docs`, `/docs/` and `/docs/index.html`. */
export const folderOf = (path: string): string => {
  const segments = path.split("/").filter((segment) => segment !== "")
  if (!path.endsWith("/") && isPageFile(segments.at(-1) ?? "")) segments.pop()
  return segments.length === 0 ? "/" : `/${segments.join("/")}/`
}
