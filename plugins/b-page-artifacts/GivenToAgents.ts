import * as Effect from "effect/Effect"
import type { between } from "../../engine/criterion/Fact.ts"
import { type Exchange, isForServer, isMissing } from "../../engine/evidence/Exchange.ts"
import type { KeptOfPage, Page } from "../../engine/page/Page.ts"
import type { NegotiatedPage, Negotiation } from "../../engine/site/markdown/Negotiation.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isDeadEnd, startWays } from "../ways/StartWays.ts"

/** What an agent is given of a page that it asks for: the Markdown that is negotiated, else the HTML, converted. */
export interface Given extends Pick<KeptOfPage, "characters" | "content" | "contentEnd"> {
  readonly page: Page
  readonly format: "html" | "markdown"
}

/** What agents are given of the pages of a site. */
export interface GivenPages {
  readonly pages: ReadonlyArray<Given>
  /** Missing responses that may be Markdown, so that more arrives and more of it is content. */
  readonly open: ReadonlyArray<Exchange>
}

/**
 * What an agent is given of pages. Where each page that we asked for as Markdown returned it, also to the lists of agents, the others
 * are taken to do so: of these the ones count whose Markdown version has a URL of its own.
 */
export const givenOf = Effect.fnUntraced(function* (
  site: Site,
  pages: ReadonlyArray<Page>,
  negotiation: Negotiation
): Effect.fn.Return<GivenPages> {
  // Markdown that leads nowhere is no better for being short.
  if (isDeadEnd(yield* startWays(site))) return { pages: pages.map(asHtml), open: [] }
  const asked = negotiation.pages.filter(({ page }) => page.format === "html")
  const served = asked.filter(isServed)
  const open = asked.flatMap(openOf)
  const negotiates = served.length > 0 && served.length === asked.length
  const markdown = new Map(served.map(({ page, text }) => [page, text] as const))
  if (negotiates || (open.some(isForServer) && served.length === 0)) {
    const versions = (yield* site.markdownVersions).pages.filter(
      ({ version }) => version !== null && version.how !== "self"
    )
    // A folder shows no negotiation; one without Markdown files has none to offer.
    if (!negotiates && versions.length === 0) return { pages: pages.map((page) => asHtml(page)), open: [] }
    if (negotiates)
      for (const { page, version } of versions)
        if (version !== null && !markdown.has(page)) markdown.set(page, version.text)
  }
  return {
    pages: pages.flatMap((page): ReadonlyArray<Given> => {
      const text = markdown.get(page)
      if (text !== undefined) return [asMarkdown(page, text)]
      return negotiates && page.format === "html" ? [] : [asHtml(page)]
    }),
    open: asked.some(isRefused) ? [] : open
  }
})

const asHtml = (page: Page): Given => ({ page, format: page.format === "html" ? "html" : "markdown", ...page.kept })

/** Of Markdown as much is content as the page has; what is beyond it are menus, indexes and the like. */
const asMarkdown = (page: Page, { length }: string): Given => ({
  page,
  format: "markdown",
  characters: length,
  content: Math.min(length, page.kept.content),
  contentEnd: length
})

const isServed = ({ lists, verdict }: NegotiatedPage): boolean =>
  verdict === "markdown" && lists.every((list) => list.verdict === "markdown")

const openOf = ({ exchange, lists }: NegotiatedPage): ReadonlyArray<Exchange> =>
  [exchange, ...lists.map((list) => list.exchange)].filter(isMissing)

/** It returns something else than Markdown, to the bare type or to a list. */
const isRefused = ({ exchange, lists, verdict }: NegotiatedPage): boolean =>
  (verdict !== "markdown" && !isMissing(exchange)) ||
  lists.some((list) => list.verdict !== "markdown" && !isMissing(list.exchange))

/** The middle number, of two the lower; 0 of none. */
export const medianOf = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? 0

/** What a median of shares is at least and at most, if `missing` more are anything. */
export const medianBetween = (shares: ReadonlyArray<number>, missing: number): ReturnType<typeof between> => {
  const more = (share: number): ReadonlyArray<number> => [...shares, ...Array.from({ length: missing }, () => share)]
  return { at_least: medianOf(more(0)), at_most: medianOf(more(1)) }
}
