import * as Effect from "effect/Effect"
import type { between } from "../../engine/plugin/Fact.ts"
import { grouped } from "../../engine/plugin/Wording.ts"
import { type Exchange, isForServer, isMissing } from "../../engine/evidence/Exchange.ts"
import { type Heading, isReference, type KeptOfPage, type Page } from "../../engine/page/Page.ts"
import type { NegotiatedPage, Negotiation } from "../../engine/site/markdown/Negotiation.ts"
import type { Site } from "../../engine/site/Site.ts"
import { isDeadEnd, startWays } from "../ways/StartWays.ts"

/** What a page that fits a context window may be at most. */
export interface Bounds {
  /** Of the main content. */
  readonly characters: number
  /** Of the body. */
  readonly bytes: number
  /** Characters of visible text before the main content. */
  readonly lead: number
  /** The same as a share of all visible text; one of the two is enough. */
  readonly leadShare: number
}

/** Each check gives a clause that says what is wrong with a substantive page, or `null`. */
export type Check = (page: Page) => string | null

export const isSized =
  (bounds: Bounds): Check =>
  ({ answer, bytes, main }) => {
    if (answer.cut) return `is longer than the ${grouped(bytes)} bytes we read`
    if (main.characters > bounds.characters)
      return `has ${grouped(main.characters)} characters of main content (limit: ${grouped(bounds.characters)})`
    return bytes > bounds.bytes ? `has ${grouped(bytes)} bytes (limit: ${grouped(bounds.bytes)})` : null
  }

export const startsEarly =
  ({ lead, leadShare }: Bounds): Check =>
  ({ main, visibleCharacters }) =>
    main.offset > lead && main.offset > leadShare * visibleCharacters
      ? `starts its main content after ${grouped(main.offset)} characters of other text`
      : null

/** One H1 (a reference on one page may have several), and no level skipped. */
export const isOutlined: Check = (page) => {
  const tops = topHeadings(page)
  if (tops.length === 0) return "has no H1"
  if (tops.length > 1 && !listsTopHeadings(page, tops)) return `has ${tops.length} H1 headings`
  const skip = skippedLevel([...tops.filter(({ inMain }) => !inMain), ...page.headings.filter(({ inMain }) => inMain)])
  return skip === null ? null : `skips from H${skip[0]} to H${skip[1]}`
}

/** The H1s of the main content; if it has none, those of the page. */
const topHeadings = ({ headings }: Page): ReadonlyArray<Heading> => {
  const tops = headings.filter(({ level }) => level === 1)
  const inMain = tops.filter((heading) => heading.inMain)
  return inMain.length > 0 ? inMain : tops
}

/** This share of the H1s of a reference on one page is in its list of contents. */
const LISTED = 0.5

/** A reference whose list of contents leads to its H1s: each of them begins what would be a page of its own elsewhere. */
const listsTopHeadings = (page: Page, tops: ReadonlyArray<Heading>): boolean => {
  const fragments = new Set(page.links.filter(({ url }) => url === page.url).map(({ fragment }) => fragment))
  const listed = tops.filter(({ anchor }) => anchor !== null && anchor !== "" && fragments.has(anchor)).length
  return isReference(page) && listed >= 2 && listed >= LISTED * tops.length
}

/** The first step down by more than one level. */
const skippedLevel = (headings: ReadonlyArray<Heading>): readonly [number, number] | null => {
  for (const [index, { level }] of headings.entries()) {
    const before = headings[index - 1]
    if (before !== undefined && level > before.level + 1) return [before.level, level]
  }
  return null
}

/** Enough of the code blocks of two lines or more name a language; `text` names none. */
export const isTagged =
  (share: number): Check =>
  ({ codeBlocks }) => {
    const code = codeBlocks.filter(({ lines }) => lines >= 2)
    const tagged = code.filter(({ language }) => language !== null && language !== "text")
    if (tagged.length >= share * code.length) return null
    if (tagged.length === 0)
      return `names no language on ${code.length === 1 ? "its only code block" : `any of its ${grouped(code.length)} code blocks`}`
    return `names a language on ${tagged.length} of ${grouped(code.length)} code blocks`
  }

/** What an agent is given of a page that it asks for: the Markdown that is negotiated, else the HTML, converted. */
export interface Given extends Pick<KeptOfPage, "characters" | "content" | "contentEnd"> {
  readonly page: Page
  readonly format: "html" | "markdown"
}

/** What agents are given of the pages of a site. */
interface GivenPages {
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
