import { trimTrailingSlashes } from "../../text/Trim.ts"
import { isMarkdownPath } from "../../text/MarkdownFile.ts"

/** How the URL of a Markdown version is formed from that of its page. */
export type VersionForm = "page.md" | "page.html.md" | "page/index.md" | "page.mdx" | "page/index.mdx"

/** The forms, the most common first. */
export const VERSION_FORMS: ReadonlyArray<VersionForm> = [
  "page.md",
  "page/index.md",
  "page.html.md",
  "page.mdx",
  "page/index.mdx"
]

/** The URL of a page's Markdown version in a form; `null` where the form has none for it (a query, another file type). */
export const versionUrl = (form: VersionForm, page: string): string | null => {
  const url = URL.parse(page)
  if (url === null || url.search !== "") return null
  const path = versionPath(form, url.pathname)
  if (path === null) return null
  url.pathname = path
  return url.href
}

/** The forms of a page that come to a URL. */
export const formsAt = (page: string, address: string): ReadonlyArray<VersionForm> =>
  VERSION_FORMS.filter((form) => versionUrl(form, page) === address)

const HTML_FILE = /\.x?html?$/i
const OTHER_FILE = /\.(?:txt|json|ya?ml|xml|pdf)$/i

/** A page's URL is that of a file, of a folder, or neither: a site forms the URLs of Markdown versions by it. */
export const shapeOf = ({ url }: { readonly url: string }): "file" | "folder" | "bare" => {
  const { pathname } = new URL(url)
  return HTML_FILE.test(pathname) ? "file" : pathname.endsWith("/") ? "folder" : "bare"
}

const versionPath = (form: VersionForm, path: string): string | null => {
  if (isMarkdownPath(path) || OTHER_FILE.test(path)) return null
  const isFile = HTML_FILE.test(path)
  const bare = trimTrailingSlashes(path.replace(HTML_FILE, ""))
  const page = bare === "" ? "/index" : bare
  const html = isFile ? path : path.endsWith("/") ? `${path}index.html` : `${path}.html`
  const paths: Readonly<Record<VersionForm, string | null>> = {
    "page.md": `${page}.md`,
    "page.mdx": `${page}.mdx`,
    "page.html.md": `${html}.md`,
    "page/index.md": isFile ? null : `${bare}/index.md`,
    "page/index.mdx": isFile ? null : `${bare}/index.mdx`
  }
  return paths[form]
}
