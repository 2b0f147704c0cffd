import { docsFile } from "../../files/DocsFolder.ts"
import { CONTENTS, DOCS_VERSION } from "./Contents.ts"
import { dayText } from "./DayText.ts"
import type { DocFacts } from "./DocFacts.ts"
import { type DocHtml, docHtml } from "./DocHtml.ts"
import { type DocSource, readDocSource } from "./DocSource.ts"
import { docText, filledIn, markdownUrl, pageUrl } from "./DocText.ts"

/** A page of the documentation. Its HTML and Markdown are rendered on each call; responses are cached. */
export interface Doc extends DocSource {
  /** The canonical URL. */
  readonly url: string
  readonly markdownUrl: string
  /** The page as Markdown, as in llms-full.txt. */
  readonly plainMarkdown: () => string
  /** The Markdown version: the same below its front matter. */
  readonly markdown: () => string
  /** The page as HTML, below the title. */
  readonly html: () => DocHtml
}

/** A section of the navigation with its pages. */
export interface DocsSection {
  readonly title: string
  readonly docs: ReadonlyArray<Doc>
}

/** The whole documentation, in reading order. */
export interface DocsBook {
  /** The URL of the service. */
  readonly base: string
  readonly sections: ReadonlyArray<DocsSection>
  readonly docs: ReadonlyArray<Doc>
  /** The URL of the page that searches all of it. */
  /** About our crawler, at `/bot`, outside the versions. */
  readonly bot: Doc
}

/** Reads all pages. */
export const makeDocsBook = (facts: DocFacts): DocsBook => {
  const { base, docs: docsUrl } = facts.addresses
  const read = (slug: string, path: string, url: string, markdownUrl: string): Doc => {
    const source = readDocSource(slug, docsFile(path))
    const description = filledIn(source.description, facts)
    const written = () => docText(source, facts)
    const plainMarkdown = () => `${written()}\nLast changed on ${dayText(source.updated)}.\n`
    return {
      ...source,
      description,
      url,
      markdownUrl,
      plainMarkdown,
      markdown: () =>
        `${frontMatter({ title: source.title, description, canonical_url: url, last_updated: source.updated })}\n${plainMarkdown()}`,
      html: () => docHtml(written(), source.title, (href) => asPage(href, facts))
    }
  }
  const sections = CONTENTS.map(({ slugs, title }) => ({
    title,
    docs: slugs.map((slug) =>
      read(slug, `${DOCS_VERSION}/${slug}.md`, pageUrl(docsUrl, slug), markdownUrl(docsUrl, slug))
    )
  }))
  return {
    base,
    sections,
    docs: sections.flatMap(({ docs }) => docs),
    bot: read("bot", "bot.md", botUrl(base), `${botUrl(base)}.md`)
  }
}

/** Strings of JSON are strings of YAML. */
const frontMatter = (fields: Readonly<Record<string, string>>): string =>
  ["---", ...Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`), "---", ""].join("\n")

/** The URL of the page about our crawler. */
export const botUrl = (baseUrl: string): string => `${baseUrl}/bot`

/** In HTML, links to Markdown versions point to the pages, and links within the service have no host. */
const asPage = (href: string, { addresses: { base, docs } }: DocFacts): string => {
  const root = `${docs}/${DOCS_VERSION}/`
  const page = href.startsWith(root)
    ? `${pageUrl(docs, "index")}/${href.slice(root.length).replace(/\.md(?=#|$)/, "")}`.replace(/\/index(?=#|$)/, "")
    : href
  const { origin } = new URL(base)
  return page.startsWith(`${origin}/`) ? page.slice(origin.length) : page
}
