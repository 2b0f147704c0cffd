import { type VersionForm, versionUrl } from "../../site/markdown/VersionForm.ts"
import type { NotConverted } from "../../page/conversion/Conversion.ts"
import { notWritten, type Unwritten } from "./GeneratedFile.ts"
import { grouped } from "../../plugin/Wording.ts"

/** Where the Markdown of a folder's index page, of an `.html` file and of any other page goes. */
export interface MarkdownForms {
  readonly folder: VersionForm
  readonly htmlFile: VersionForm
  readonly other: VersionForm
}

const HTML_FILE = /\.html?$/i

/** The usual forms, unless the site uses others and not these. `learnt`: the forms that it uses, the most frequent first. */
export const markdownForms = (learnt: ReadonlyArray<VersionForm>): MarkdownForms => {
  const own = learnt.filter((form) => form !== "page.mdx" && form !== "page/index.mdx")
  const chosen = (usual: VersionForm, among: ReadonlyArray<VersionForm>): VersionForm =>
    among.includes(usual) ? usual : (among[0] ?? usual)
  return {
    folder: chosen("page/index.md", own),
    htmlFile: chosen(
      "page.html.md",
      own.filter((form) => form !== "page/index.md")
    ),
    other: chosen("page.md", own)
  }
}

/** Where the Markdown version of a page goes; `null` for one whose URL has a query or another file type. */
export const markdownUrlOf = (forms: MarkdownForms, page: string): string | null => {
  const path = URL.parse(page)?.pathname ?? ""
  return versionUrl(path.endsWith("/") ? forms.folder : HTML_FILE.test(path) ? forms.htmlFile : forms.other, page)
}

/** The path of a page and that of its Markdown version, as hosts that rewrite by regular expression are told. */
export interface PathRewrite {
  readonly match: string
  /** With `$1` for what the group matched. */
  readonly to: string
}

const FOLDERS: Readonly<Record<VersionForm, PathRewrite>> = {
  "page/index.md": { match: "^(.*/)$", to: "$1index.md" },
  "page.html.md": { match: "^(.*/)$", to: "$1index.html.md" },
  "page.md": { match: "^(.+)/$", to: "$1.md" },
  "page.mdx": { match: "^(.+)/$", to: "$1.mdx" },
  "page/index.mdx": { match: "^(.*/)$", to: "$1index.mdx" }
}

const ROOT: PathRewrite = { match: "^(/)$", to: "$1index.md" }

const HTML_FILES: Readonly<Record<"keep" | "strip", PathRewrite>> = {
  keep: { match: "^(.*[.]html?)$", to: "$1.md" },
  strip: { match: "^(.*)[.]html?$", to: "$1.md" }
}

const OTHERS: Readonly<Record<VersionForm, PathRewrite>> = {
  "page.md": { match: "^(.*[^/])$", to: "$1.md" },
  "page.mdx": { match: "^(.*[^/])$", to: "$1.mdx" },
  "page.html.md": { match: "^(.*[^/])$", to: "$1.html.md" },
  "page/index.md": { match: "^(.*[^/])$", to: "$1/index.md" },
  "page/index.mdx": { match: "^(.*[^/])$", to: "$1/index.mdx" }
}

/** The rewrites for these forms: the first that matches counts. */
export const pathRewrites = ({ folder, htmlFile, other }: MarkdownForms): ReadonlyArray<PathRewrite> => [
  ...(folder === "page.md" ? [ROOT] : []),
  FOLDERS[folder],
  HTML_FILES[htmlFile === "page.html.md" ? "keep" : "strip"],
  OTHERS[other]
]

/**
 * Why a page gets no Markdown version. `no_url`: its own URL gives it none on this host; `same_text`: it has the text of another page;
 * `taken`: the file would have the name of another. `there`: the site has another file at its URL.
 */
export type NoVersion = NotConverted | "no_url" | "same_text" | "taken" | "there"

/** Of one page, and of `%d` pages. */
const REASONS: Readonly<Record<NoVersion, readonly [one: string, many: string]>> = {
  no_text: [
    "The main part of a page has no text in its HTML, so there is nothing to write Markdown from. If JavaScript adds the text, render the page in your build or publish its source as Markdown; if it is not a page for readers, take it out of the sitemap.",
    "The main parts of %d pages have no text in their HTML, so there is nothing to write Markdown from. If JavaScript adds the text, render the pages in your build or publish their sources as Markdown; if they are not pages for readers, take them out of the sitemap."
  ],
  thin: [
    "A page has too little text in its HTML for a Markdown version. Write its text into the HTML, or publish its source as Markdown.",
    "%d pages have too little text in their HTML for Markdown versions. Write their text into the HTML, or publish their sources as Markdown."
  ],
  error_page: [
    "A page shows an error, a login or a bot check in place of content. Correct the page, or the links to it.",
    "%d pages show an error, a login or a bot check in place of content. Correct the pages, or the links to them."
  ],
  format: [
    "A page is not HTML, so it is not converted. Publish its text as Markdown.",
    "%d pages are not HTML, so they are not converted. Publish their text as Markdown."
  ],
  too_large: [
    "A page is too long or too deeply nested to be read to its end, so it gets no Markdown version. Split it, or publish its source as Markdown.",
    "%d pages are too long or too deeply nested to be read to their end, so they get no Markdown versions. Split them, or publish their sources as Markdown."
  ],
  text_lost: [
    "A page can't be converted without losing text. Publish its source as Markdown.",
    "%d pages can't be converted without losing text. Publish their sources as Markdown."
  ],
  code_lost: [
    "A page can't be converted without losing or joining lines of its code, so it gets no Markdown version. Put code into `<pre>` with a line break at the end of each line, or publish the page's source as Markdown.",
    "%d pages can't be converted without losing or joining lines of their code, so they get no Markdown versions. Put code into `<pre>` with a line break at the end of each line, or publish the pages' sources as Markdown."
  ],
  headings_lost: [
    "A page can't be converted without losing headings, so it gets no Markdown version. Put headings beside the text that they head, not into buttons or links, or publish the page's source as Markdown.",
    "%d pages can't be converted without losing headings, so they get no Markdown versions. Put headings beside the text that they head, not into buttons or links, or publish the pages' sources as Markdown."
  ],
  links_lost: [
    "A page can't be converted without losing what it links to, so it gets no Markdown version. Put its links into its main part as `<a href>` with text, or publish its source as Markdown.",
    "%d pages can't be converted without losing what they link to, so they get no Markdown versions. Put their links into their main parts as `<a href>` with text, or publish their sources as Markdown."
  ],
  timed_out: [
    "Converting a page takes more than 10 seconds, so it gets no Markdown version. Split it, or publish its source as Markdown.",
    "Converting %d pages takes more than 10 seconds each, so they get no Markdown versions. Split them, or publish their sources as Markdown."
  ],
  crashed: [
    "Converting a page takes too much memory, so it gets no Markdown version. Split it, or publish its source as Markdown.",
    "Converting %d pages takes too much memory, so they get no Markdown versions. Split them, or publish their sources as Markdown."
  ],
  no_url: [
    "A page's URL has a query, an unusual file name or another host, so its Markdown version would have no URL of its own. Publish its source as Markdown.",
    "The URLs of %d pages have a query, an unusual file name or another host, so their Markdown versions would have no URLs of their own. Publish their sources as Markdown."
  ],
  same_text: [
    "A page has the same text as another page, so its Markdown version would be that of the other. Redirect one to the other, or write what differs.",
    "%d pages have the same text as other pages, so their Markdown versions would be those of the others. Redirect one to the other, or write what differs."
  ],
  there: [
    "The URL of a page's Markdown version has another file of yours, which we left as it is. Publish the page's source as Markdown at another URL, and name it in the head.",
    "The URLs of %d pages' Markdown versions have other files of yours, which we left as they are. Publish the pages' sources as Markdown at other URLs, and name them in the heads."
  ],
  taken: [
    "The Markdown version of a page would have the file name of another file, at least where case is ignored. Publish it by the rules of your host.",
    "The Markdown versions of %d pages would have the file names of other files, at least where case is ignored. Publish them by the rules of your host."
  ]
}

/** Pages without a Markdown version, by the reason. */
interface Unversioned {
  readonly add: (reason: NoVersion, page: string) => void
  /** A note for each reason, in the order in which they came up. */
  readonly notes: () => ReadonlyArray<Unwritten>
}

export const unversioned = (): Unversioned => {
  const pages = new Map<NoVersion, Set<string>>()
  return {
    add: (reason, page) => {
      pages.set(reason, (pages.get(reason) ?? new Set()).add(page))
    },
    notes: () =>
      [...pages].flatMap(([reason, urls]) => {
        const [one, many] = REASONS[reason]
        return notWritten("b1-markdown-twins", urls.size === 1 ? one : many.replace("%d", grouped(urls.size)), [
          ...urls
        ]).unwritten
      })
  }
}
