import { onSite } from "../../evidence/Address.ts"
import type { Page } from "../../page/Page.ts"
import { isMarkdownPath, isMarkdownType, isMarkdownUrl, withoutPageEnding } from "../../text/UrlPath.ts"
import { trimTrailingSlashes } from "../../text/WhiteSpace.ts"
import { evenStride } from "../base/EvenStride.ts"
import type { LlmsTxt } from "../wellknown/LlmsTxt.ts"

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

/** One URL at which a page's Markdown version may be. */
export interface VersionGuess {
  readonly page: Page
  readonly url: string
  readonly how: "declared" | VersionForm
}

/** Pages on which the forms are learnt. */
export const LEARNERS = 4
/** Learners that are asked for in the rare forms, too, where the likely ones find nothing. */
const THOROUGH_LEARNERS = 2
/** The forms after these are rare, and whole sites use them. */
const COMMON_FORMS = 2
const DECLARED_PER_PAGE = 2

/** What pages declare themselves, then what llms.txt names; at most two URLs on the site for a page. */
export const declaredGuesses = (
  site: string,
  pages: ReadonlyArray<Page>,
  llmsTxt: LlmsTxt
): ReadonlyArray<VersionGuess> => {
  const files = [llmsTxt.file, ...llmsTxt.nested].flatMap((file) => (file === null ? [] : [...file.textFiles]))
  const named = new Set(files)
  // Some sites keep the texts of all pages in a folder of their own: `/raw/guide.txt` of `/guide`.
  const mirrored = new Map(files.map((url) => [pathOf(url).replace(FIRST_FOLDER, "/"), url] as const))
  return pages.flatMap((page) => {
    const forms = guessesFor(page, VERSION_FORMS)
      .map(({ url }) => url)
      .filter((url) => named.has(url))
    const mirror = mirrored.get(pathOf(page.url))
    const listed = forms.length > 0 || mirror === undefined ? forms : [mirror]
    const urls = new Set([...declaredBy(page), ...listed].filter((url) => url !== page.url && onSite(url, site)))
    return [...urls].slice(0, DECLARED_PER_PAGE).map((url): VersionGuess => ({ page, url, how: "declared" }))
  })
}

const FIRST_FOLDER = /^\/[^/]*\//

/** Without what tells a page from its text, or an index from its folder. */
const pathOf = (url: string): string =>
  trimTrailingSlashes(withoutPageEnding(new URL(url).pathname.replace(/\.txt$/i, "")).replace(/\/index$/, "")) || "/"

const declaredBy = (page: Page): ReadonlyArray<string> => {
  const announced = page.announcements.filter(
    ({ rel, type, url }) => rel.includes("alternate") && (isMarkdownType(type) || (type === "" && isMarkdownUrl(url)))
  )
  return [
    ...announced.map(({ url }) => url),
    ...[...page.controls.viewMarkdown, ...page.sourceLinks].filter(isMarkdownUrl)
  ]
}

/**
 * The pages to learn from: one of each shape of URL, then one of each first folder, then others, evenly spread. The home page is like
 * no other, and one of them only where there are too few.
 */
export const learnersAmong = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> => {
  const inner = pages.filter(({ url }) => URL.parse(url)?.pathname !== "/")
  const pool = inner.length >= LEARNERS ? inner : pages
  const learners = new Set<Page>()
  for (const keyOf of [shapeOf, firstFolder]) {
    const without = [...Map.groupBy(pool, keyOf).values()].filter((group) => !group.some((page) => learners.has(page)))
    for (const [page] of evenStride(without, LEARNERS - learners.size)) if (page !== undefined) learners.add(page)
  }
  const others = pool.filter((page) => !learners.has(page))
  for (const page of evenStride(others, LEARNERS - learners.size)) learners.add(page)
  return pool.filter((page) => learners.has(page))
}

const firstFolder = ({ url }: Page): string => new URL(url).pathname.split("/", 2)[1] ?? ""

/** What to ask for the learners first: the forms that declared URLs have, where there are any; else the most common form. */
export const likelyGuesses = (
  learners: ReadonlyArray<Page>,
  declared: ReadonlyArray<VersionGuess>
): ReadonlyArray<VersionGuess> => {
  const hinted = VERSION_FORMS.filter((form) => declared.some(({ page, url }) => formsAt(page.url, url).includes(form)))
  return learners.flatMap((page) => guessesFor(page, hinted.length > 0 ? hinted : VERSION_FORMS.slice(0, 1)))
}

/** Where that taught nothing: the common forms, and for two of the pages every form. */
export const thoroughGuesses = (learners: ReadonlyArray<Page>): ReadonlyArray<VersionGuess> => {
  const thorough = evenStride(learners, THOROUGH_LEARNERS)
  return learners.flatMap((page) =>
    guessesFor(page, thorough.includes(page) ? VERSION_FORMS : VERSION_FORMS.slice(0, COMMON_FORMS))
  )
}

/** The URLs of a page's Markdown version in these forms, each once. */
export const guessesFor = (page: Page, forms: ReadonlyArray<VersionForm>): ReadonlyArray<VersionGuess> => {
  const guesses = forms.flatMap((how): ReadonlyArray<VersionGuess> => {
    const url = versionUrl(how, page.url)
    return url === null ? [] : [{ page, url, how }]
  })
  return guesses.filter(({ url }, index) => guesses.findIndex((guess) => guess.url === url) === index)
}
