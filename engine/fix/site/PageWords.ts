import type { Page } from "../../page/Page.ts"
import { plainText } from "../../text/PlainText.ts"
import { sharedTitles, titleParts } from "../../site/topics/SiteTitle.ts"

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

/** Fewer pages tell nothing about what they share. */
const ENOUGH_PAGES = 3

/** How many pages have each H1: `Infinity` for those of most pages, which are banners of the site and name no page. */
export const headingCounts = (pages: ReadonlyArray<Page>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { headings } of pages)
    for (const text of new Set(headings.flatMap(({ level, text }) => (level === 1 ? [text] : []))))
      counts.set(text, (counts.get(text) ?? 0) + 1)
  const most = pages.length < ENOUGH_PAGES ? pages.length : pages.length / 2
  return new Map([...counts].map(([text, count]) => [text, count > most ? Number.POSITIVE_INFINITY : count]))
}

/** What a page is called: the H1 that the fewest pages have, else its title without the site's name. Empty where it has neither. */
export const titleOf = (
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
export const siteTitleOf = (first: Page | null, pages: ReadonlyArray<Page>): string => {
  const shared = sharedTitles(pages)
  const parts = titleParts(first?.title ?? "")
  const title =
    parts.find((part) => shared.has(part)) ??
    [...shared][0] ??
    parts[0] ??
    (first === null ? "" : titleOf(first, new Set()))
  return tidy(title, TITLE_CHARACTERS)
}
