import { type VersionForm, versionUrl } from "../../site/markdown/VersionForm.ts"

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
