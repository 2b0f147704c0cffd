import { docsFile } from "../../DocsFolder.ts"
import { CONTENTS, DOCS_VERSION } from "./Contents.ts"
import { dayText } from "./DayText.ts"
import type { DocFacts } from "./DocFacts.ts"
import { type DocHeading, docHtml } from "./DocHtml.ts"
import { type DocSource, readDocSource } from "./DocSource.ts"
import { docText, filledIn, markdownUrl, pageUrl } from "./DocText.ts"

/** A page of the documentation, ready to be laid out. */
export interface Doc extends DocSource {
  /** Where it is found: the canonical address. */
  readonly url: string
  readonly markdownUrl: string
  /** The Markdown twin. */
  readonly markdown: string
  /** The same as HTML, below the title. */
  readonly html: string
  readonly headings: ReadonlyArray<DocHeading>
}

/** A part of the navigation, with its pages. */
export interface DocsSection {
  readonly title: string
  readonly docs: ReadonlyArray<Doc>
}

/** The whole documentation, in reading order. */
export interface DocsBook {
  readonly sections: ReadonlyArray<DocsSection>
  readonly docs: ReadonlyArray<Doc>
  /** About our fetching; it stands at `/bot`, outside the versions. */
  readonly bot: Doc
}

/** Reads and renders all pages. */
export const makeDocsBook = (facts: DocFacts): DocsBook => {
  const { base, docs: docsUrl } = facts.addresses
  const read = (slug: string, path: string, url: string, twin: string): Doc => {
    const source = readDocSource(slug, docsFile(path))
    const text = docText(source, facts)
    const { headings, html } = docHtml(text, source.title, (href) => asPage(href, facts))
    const markdown = `${text}\nLast changed on ${dayText(source.updated)}.\n`
    return { ...source, description: filledIn(source.description, facts), url, markdownUrl: twin, markdown, headings, html }
  }
  const sections = CONTENTS.map(({ slugs, title }) => ({
    title,
    docs: slugs.map((slug) => read(slug, `${DOCS_VERSION}/${slug}.md`, pageUrl(docsUrl, slug), markdownUrl(docsUrl, slug)))
  }))
  return {
    sections,
    docs: sections.flatMap(({ docs }) => docs),
    bot: read("bot", "bot.md", `${base}/bot`, `${base}/bot.md`)
  }
}

/** A link to a page's Markdown leads from its HTML to the page; links within the service have no host. */
const asPage = (href: string, { addresses: { base, docs } }: DocFacts): string => {
  const root = `${docs}/${DOCS_VERSION}/`
  const page = href.startsWith(root) ? `${pageUrl(docs, "index")}/${href.slice(root.length).replace(/\.md(?=#|$)/, "")}`.replace(/\/index(?=#|$)/, "") : href
  const { origin } = new URL(base)
  return page.startsWith(`${origin}/`) ? page.slice(origin.length) : page
}
