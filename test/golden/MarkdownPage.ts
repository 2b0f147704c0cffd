import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import MarkdownIt from "markdown-it"
import { parse } from "yaml"

/** A page of a golden site, as its author writes it. */
export interface MarkdownPage {
  /** Below the pages' folder, without its ending: `reference/bookings`; `index` is the first page. */
  readonly path: string
  readonly title: string
  readonly description: string
  /** Where it stands in the navigation. */
  readonly section: string
  /** `YYYY-MM-DD`. */
  readonly updated: string
  /** Markdown without front matter, its H1 included. */
  readonly text: string
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n+/

/** The pages of a folder, `index` first, the rest by path. */
export const readPages = (folder: string): ReadonlyArray<MarkdownPage> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => readPage(folder, file))
    .sort((one, other) => (rank(one) < rank(other) ? -1 : 1))

const rank = ({ path }: MarkdownPage): string => (path === "index" ? "" : path)

const readPage = (folder: string, file: string): MarkdownPage => {
  const source = readFileSync(join(folder, file), "utf8")
  const [matter = "", head = ""] = FRONT_MATTER.exec(source) ?? []
  const fields: Readonly<Partial<Record<string, string>>> = parse(head, { schema: "failsafe" }) ?? {}
  const field = (name: string): string => {
    const value = fields[name]
    if (value === undefined) throw new Error(`${relative(folder, join(folder, file))} has no ${name}`)
    return value
  }
  return {
    path: file.replaceAll("\\", "/").replace(/\.md$/, ""),
    title: field("title"),
    description: field("description"),
    section: field("section"),
    updated: field("updated"),
    text: source.slice(matter.length)
  }
}

const renderer = new MarkdownIt({ html: true })

/** What a heading's address is made of: `What happens beyond the limit` gives `what-happens-beyond-the-limit`. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

/** HTML of a page's text; headings have ids, code blocks name their language by class. */
export const htmlOf = (markdown: string): string => {
  const tokens = renderer.parse(markdown, {})
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") token.attrSet("id", slugOf(tokens[index + 1]?.content ?? ""))
  })
  return renderer.renderer.render(tokens, renderer.options, {})
}

/** Text as it stands in HTML. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
