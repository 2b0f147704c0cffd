import { pageKey, samePage } from "../../evidence/Address.ts"
import { headerIn, isOk } from "../../evidence/Exchange.ts"
import type { Page } from "../../page/Page.ts"
import { sharedTitles, titleParts } from "../../site/topics/ProductName.ts"
import { httpDateMs } from "../../text/HttpValues.ts"
import { plainText } from "../../text/PlainText.ts"
import { type Navigation, navigationOf } from "./PageOrder.ts"
import {
  described,
  descriptionOf,
  isStarterPage,
  openingProse,
  type SharedWords,
  templateDescriptions
} from "./PageSentences.ts"
import type { PublishedSite } from "./PublishedSite.ts"

/** A page that was opened, in the words of the site. */
export interface SitePage {
  readonly page: Page
  readonly url: string
  /** The page as the site itself links to it, if that differs by a slash: another spelling would make another sample. */
  readonly linkedAs: string
  readonly title: string
  /** What it is about, in its own words: its description, or a sentence of its prose; empty where neither says it. */
  readonly description: string
  /** The first sentences of its prose, where its head has no description; else empty. */
  readonly opening: string
  /** Day of the last change, `YYYY-MM-DD`; `null` where neither the page nor the server tells. */
  readonly changed: string | null
  /** Its Markdown version: the site's own, or the one that is written. */
  readonly markdown: PublishedMarkdown | null
}

export interface PublishedMarkdown {
  /** Where it is published; `null`: nowhere, it is only part of the full text. */
  readonly url: string | null
  readonly text: string
  /** Whether it is written, not the site's own. */
  readonly written: boolean
}

/** A page that the site links to by a title and that was not opened. */
interface LinkedPage {
  readonly url: string
  /** The link's text; empty where the page is only in a sitemap. */
  readonly title: string
}

/** The pages of a site, the base page first, the others in the order of its menus: those that were opened, and those that it only names. */
export interface SitePages {
  readonly title: string
  readonly navigation: Navigation
  readonly opened: ReadonlyArray<SitePage>
  readonly linked: ReadonlyArray<LinkedPage>
  /** How often agents ask for a page; left out: not known. */
  readonly requestsFor?: (url: string) => number
}

/** As B4 counts a description. */
export const LEAST_DESCRIPTION = 50

const isOwnPage = (page: Page): boolean =>
  !page.saysNotFound && !page.loginWall && page.challenge === null && page.format !== "other"

/** What answers and is no page of the documentation: it redirects its reader, is the menu of a frame, or was left in from a starter. */
export const isBesidePages = (page: Page): boolean => page.redirect !== null || page.isFrameMenu || isStarterPage(page)

/** Whether a page is listed in files, and has files of its own. */
export const isContentPage = (page: Page): boolean => isOwnPage(page) && !isBesidePages(page)

/** `more`: pages that were opened beside the sample. `markdownOf`: the Markdown version of a page. */
export const sitePages = (
  site: PublishedSite,
  more: ReadonlyArray<Page>,
  markdownOf: (page: Page) => PublishedMarkdown | null
): SitePages => {
  const pages = distinct([...site.sample.pages, ...more]).filter(isContentPage)
  const shared = sharedTexts(pages)
  const changed = changeDays(pages)
  const navigation = navigationOf(site.base.page, pages)
  const inOrder = orderOf(site, navigation)
  return {
    title: siteTitleOf(site.base.page, pages),
    navigation,
    opened: pages.map((page) => sitePageOf(page, shared, changed(page), markdownOf(page))).sort(inOrder),
    linked: linkedPages(site, pages).toSorted(inOrder)
  }
}

export const sharedTexts = (pages: ReadonlyArray<Page>): SharedWords => ({
  titles: sharedTitles(pages),
  headings: headingCounts(pages),
  templates: templateDescriptions(pages),
  descriptions: new Set(pages.map(({ description }) => description))
})

export const sitePageOf = (
  page: Page,
  shared: SharedWords,
  changed: string | null,
  markdown: PublishedMarkdown | null
): SitePage => {
  const words = described(page, markdown?.text ?? null)
  return {
    page,
    url: page.url,
    linkedAs: samePage(page.answer.asked.url, page.url) ? page.answer.asked.url : page.url,
    title: titleOf(page, shared.titles, shared.headings),
    description: descriptionOf(words, shared, false),
    opening: page.description === "" ? openingProse(words, LEAST_DESCRIPTION) : "",
    changed,
    markdown
  }
}

const distinct = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  [...new Map(pages.map((page) => [pageKey(page.url), page] as const).reverse()).values()].reverse()

/** Compares pages by their places: the base page, those of the menus, then the others by URL. */
export const orderOf = ({ base }: PublishedSite, { placeOf }: Navigation) => {
  const place = (url: string): number => (samePage(url, base.url) ? -1 : placeOf(url))
  return (one: { readonly url: string }, other: { readonly url: string }): number => {
    const [first, second] = [place(one.url), place(other.url)]
    return first === second ? (one.url < other.url ? -1 : 1) : first - second
  }
}

/** When a page of a site was last changed: on the day that it names itself, else on that of its `Last-Modified`; `null`: neither tells. */
export const changeDays = (pages: ReadonlyArray<Page>): ((page: Page) => string | null) => {
  const told = [namedDay, servedDay].map((dayOf) => {
    const built = buildDay(pages.map(dayOf))
    return (page: Page): string | null => {
      const day = dayOf(page)
      return day === built ? null : day
    }
  })
  return (page) => told.reduce<string | null>((day, dayOf) => day ?? dayOf(page), null)
}

const namedDay = ({ modified }: Page): string | null => modified

const servedDay = ({ answer }: Page): string | null => {
  const value = headerIn(answer.headers, "last-modified")
  const time = value === null ? null : httpDateMs(value)
  return time === null ? null : new Date(time).toISOString().slice(0, "YYYY-MM-DD".length)
}

const ENOUGH_PAGES = 3

/** One day for every page is that of the build, not of a change. */
const buildDay = (days: ReadonlyArray<string | null>): string | null => {
  const [day = null] = days
  return days.length >= ENOUGH_PAGES && new Set(days).size === 1 ? day : null
}

/** Texts of links that say where the link is, not what it leads to. */
const GENERIC =
  /^(?:next|prev(?:ious)?|back|home|here|more|read more|learn more|edit|top|skip to (?:main )?content|[^\p{L}\p{N}]*)\b[\s:→←»«]*$/iu

/** What blogs write before the title of the page that they link to. */
const PLACE = /^(?:older|newer) post\s+/i

const linkedPages = ({ sample }: PublishedSite, pages: ReadonlyArray<Page>): ReadonlyArray<LinkedPage> => {
  const titles = new Map<string, string>()
  for (const place of ["nav", "main"] as const) {
    for (const page of pages) {
      for (const link of page.links) {
        const text = plainText(link.text, 100).replace(PLACE, "")
        const key = pageKey(link.url)
        if (link.place === place && link.fragment === "" && !GENERIC.test(text) && !titles.has(key))
          titles.set(key, text)
      }
    }
  }
  const opened = new Set([
    ...pages.map(({ url }) => pageKey(url)),
    // What was opened and is no page of the site leads nowhere, or to a page under another URL.
    ...sample.visits.flatMap(({ candidate, exchange }) =>
      (isOk(exchange) ? [pageKey(exchange.url)] : []).concat(pageKey(candidate.url))
    )
  ])
  return sample.candidates
    .filter(({ url }) => !opened.has(pageKey(url)))
    .map(({ url }) => ({ url, title: titles.get(pageKey(url)) ?? "" }))
}

/** Longest title that is written, in characters. */
const TITLE_CHARACTERS = 150

/** Marks of heading anchors, and space beside them. */
const ANCHOR_MARK = /[\s¶#§🔗]/u

/** `title`: that of the page's head, which has no marks of anchors: the `#` of "C#" is in both. */
const withoutAnchorMark = (text: string, title: string): string => {
  const characters = Array.from(text)
  const plain = characters.slice(0, characters.findLastIndex((character) => !ANCHOR_MARK.test(character)) + 1).join("")
  return text.startsWith(`${plain}#`) && title.includes(`${plain}#`) ? `${plain}#` : plain
}

const tidy = (text: string, most: number): string =>
  plainText(text.replace(/\s+/gu, " "), most).trim().replace(WELCOME, "$1 documentation")

/** What the starter of Sphinx calls a start page. */
const WELCOME = /^(?:[^:]{1,60}: )?welcome to (?:the )?(.{1,80}?)(?:['’]s)? documentation!?$/i

/** How many pages have each H1: `Infinity` for those of most pages, which are banners of the site and name no page. */
const headingCounts = (pages: ReadonlyArray<Page>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { headings } of pages)
    for (const text of new Set(headings.flatMap(({ level, text }) => (level === 1 ? [text] : []))))
      counts.set(text, (counts.get(text) ?? 0) + 1)
  const most = pages.length < ENOUGH_PAGES ? pages.length : pages.length / 2
  return new Map([...counts].map(([text, count]) => [text, count > most ? Number.POSITIVE_INFINITY : count]))
}

/** What a page is called: the H1 that the fewest pages have, else its title without the site's name. Empty where it has neither. */
const titleOf = (
  page: Page,
  siteTitles: ReadonlySet<string>,
  pagesWith: ReadonlyMap<string, number> = new Map()
): string => {
  const count = ({ text }: { readonly text: string }): number => pagesWith.get(text) ?? 1
  const [heading] = page.headings
    .filter(
      (one) =>
        one.inMain && one.level === 1 && Number.isFinite(count(one)) && withoutAnchorMark(one.text, page.title) !== ""
    )
    .toSorted((one, other) => count(one) - count(other))
  const parts = titleParts(page.title)
  const own = parts.find((part) => !siteTitles.has(part))
  const isNotice =
    heading !== undefined && count(heading) > 1 && page.headings.filter(({ level }) => level === 1).length > 1
  // One of several H1s that other pages have, too, is a notice: the title knows better.
  const named =
    heading === undefined || (isNotice && own !== undefined) ? null : withoutAnchorMark(heading.text, page.title)
  return tidy(named ?? own ?? parts[0] ?? page.title, TITLE_CHARACTERS)
}

/** What the site is called: the part that its titles share, else the first page's title. */
const siteTitleOf = (first: Page | null, pages: ReadonlyArray<Page>): string => {
  const shared = sharedTitles(pages)
  const parts = titleParts(first?.title ?? "")
  const title =
    parts.find((part) => shared.has(part)) ??
    [...shared][0] ??
    parts[0] ??
    (first === null ? "" : titleOf(first, new Set()))
  return tidy(title, TITLE_CHARACTERS)
}
