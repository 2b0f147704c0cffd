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

const tidy = (text: string, most: number): string => plainText(text.replace(/\s+/gu, " "), most).trim()

/** What a page is called: its first H1, else its title without the site's name. Empty where it has neither. */
export const titleOf = (page: Page, siteTitles: ReadonlySet<string>): string => {
  const heading = page.headings.find(
    ({ inMain, level, text }) => inMain && level === 1 && withoutAnchorMark(text, page.title) !== ""
  )
  const parts = titleParts(page.title)
  const own = parts.find((part) => !siteTitles.has(part)) ?? parts[0]
  return tidy(
    (heading === undefined ? undefined : withoutAnchorMark(heading.text, page.title)) ?? own ?? page.title,
    TITLE_CHARACTERS
  )
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
