import { docsFile } from "../../DocsFolder.ts"
import { CONTENTS, DOCS_VERSION } from "./Contents.ts"
import { dayText } from "./DayText.ts"
import type { DocFacts } from "./DocFacts.ts"
import { type DocHtml, docHtml } from "./DocHtml.ts"
import { type DocSource, readDocSource } from "./DocSource.ts"
import { docText, filledIn, markdownUrl, pageUrl } from "./DocText.ts"
import { once } from "./Once.ts"

/** A page of the documentation. What takes time is made when it is first asked for. */
export interface Doc extends DocSource {
  /** Where it is found: the canonical address. */
  readonly url: string
  readonly markdownUrl: string
  /** The Markdown twin. */
  readonly markdown: () => string
  /** The same as HTML, below the title. */
  readonly html: () => DocHtml
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

/** Reads all pages. */
export const makeDocsBook = (facts: DocFacts): DocsBook => {
  const { base, docs: docsUrl } = facts.addresses
  const read = (slug: string, path: string, url: string, twin: string): Doc => {
    const source = readDocSource(slug, docsFile(path))
    const text = once(() => docText(source, facts))
    return {
      ...source,
      description: filledIn(source.description, facts),
      url,
      markdownUrl: twin,
      markdown: () => `${text()}\nLast changed on ${dayText(source.updated)}.\n`,
      html: once(() => docHtml(text(), source.title, (href) => asPage(href, facts)))
    }
  }
  const sections = CONTENTS.map(({ slugs, title }) => ({
    title,
    docs: slugs.map((slug) => read(slug, `${DOCS_VERSION}/${slug}.md`, pageUrl(docsUrl, slug), markdownUrl(docsUrl, slug)))
  }))
  return {
    sections,
    docs: sections.flatMap(({ docs }) => docs),
    bot: read("bot", "bot.md", botUrl(base), `${botUrl(base)}.md`)
  }
}

/** Where our fetching is explained. */
export const botUrl = (baseUrl: string): string => `${baseUrl}/bot`

/** A link to a page's Markdown leads from its HTML to the page; links within the service have no host. */
const asPage = (href: string, { addresses: { base, docs } }: DocFacts): string => {
  const root = `${docs}/${DOCS_VERSION}/`
  const page = href.startsWith(root) ? `${pageUrl(docs, "index")}/${href.slice(root.length).replace(/\.md(?=#|$)/, "")}`.replace(/\/index(?=#|$)/, "") : href
  const { origin } = new URL(base)
  return page.startsWith(`${origin}/`) ? page.slice(origin.length) : page
}
