import type { Exchange } from "../../evidence/Exchange.ts"
import type { Page, PageLink } from "../../page/Page.ts"
import { readMarkdown } from "../../page/markdown/MarkdownReader.ts"
import type { FoundVersion } from "../../site/markdown/MarkdownVersions.ts"
import type { Visit } from "../../site/sample/Sample.ts"

const NO_BYTES = new Uint8Array()

/** An exchange without its body. */
export const slimExchange = <Kind extends Exchange>(exchange: Kind): Kind =>
  exchange._tag === "Answer" ? { ...exchange, body: NO_BYTES } : exchange

/** Of a page without a title, what shows whether it has an empty one. */
const HEAD_BYTES = 20_000

/** One link for all pages that have it: most links of a page are those of its menus. */
export type SharedLinks = (link: PageLink) => PageLink

export const sharedLinks = (): SharedLinks => {
  const known = new Map<string, PageLink>()
  return (link) => {
    const key = JSON.stringify(link)
    const same = known.get(key)
    if (same === undefined) known.set(key, link)
    return same ?? link
  }
}

/** A page that was converted, without what no file is written from: thousands of them fit in memory. */
export const slimPage = (page: Page, shared: SharedLinks): Page => ({
  ...page,
  links: page.links.map(shared),
  answer:
    page.title === "" ? { ...page.answer, body: page.answer.body.slice(0, HEAD_BYTES) } : slimExchange(page.answer),
  sections: [{ heading: "", level: 0, anchor: null, path: [], text: "" }],
  tables: [],
  definitions: [],
  operations: [],
  times: [],
  hiddenInstructions: [],
  beside: { isPart: page.beside.isPart, segments: [], headings: [], code: [] }
})

/** A visit of the page, or of what gave none. */
export const slimVisit = ({ candidate, exchange }: Visit, page: Page | null): Visit => ({
  candidate,
  exchange: slimExchange(exchange),
  page
})

/** A version that is read again where its structure is wanted. */
export const slimVersion = ({ answer, how, text, url }: FoundVersion): FoundVersion => ({
  url,
  how,
  answer: slimExchange(answer),
  text,
  document: () => readMarkdown(text)
})
