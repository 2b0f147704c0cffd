import type { Page } from "../../page/Page.ts"
import { plainText } from "../../text/PlainText.ts"
import { sharedTitles, titleParts } from "../../site/topics/SiteTitle.ts"

/** Longest title and description that are written, in characters. */
const TITLE_CHARACTERS = 150
export const DESCRIPTION_CHARACTERS = 300

/** Marks of heading anchors, and space beside them. */
const ANCHOR_MARK = /[\s¶#§🔗]/u

const withoutAnchorMark = (text: string): string => {
  const characters = Array.from(text)
  return characters.slice(0, characters.findLastIndex((character) => !ANCHOR_MARK.test(character)) + 1).join("")
}

const tidy = (text: string, most: number): string => plainText(text.replace(/\s+/gu, " "), most).trim()

/** What a page is called: its first H1, else its title without the site's name. Empty where it has neither. */
export const titleOf = (page: Page, siteTitles: ReadonlySet<string>): string => {
  const heading = page.headings.find(
    ({ inMain, level, text }) => inMain && level === 1 && withoutAnchorMark(text) !== ""
  )
  const parts = titleParts(page.title)
  const own = parts.find((part) => !siteTitles.has(part)) ?? parts[0]
  return tidy(
    (heading === undefined ? undefined : withoutAnchorMark(heading.text)) ?? own ?? page.title,
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

/** A page's own description, else its first sentences of prose, whole ones; empty where it has neither. `least`: as many characters as there should be. */
export const descriptionOf = (page: Page, templates: ReadonlySet<string>, least: number): string => {
  const own = tidy(page.description, DESCRIPTION_CHARACTERS)
  return own !== "" && !NOTHING.test(own) && !templates.has(page.description) ? own : openingProse(page, least)
}

/** What a template writes where its author has set no description: MkDocs writes "None". */
const NOTHING = /^(?:none|null|nil|undefined|n\/a)\.?$/i

/** The first sentences of a page's prose: whole ones, until there are `least` characters. */
export const openingProse = (page: Page, least: number): string => {
  const code = new Set(page.codeBlocks.map(({ text }) => text.trim().replace(/\s+/g, " ")))
  const headings = new Set(page.headings.map(({ text }) => text))
  for (const segment of page.main.segments.slice(0, SEGMENTS)) {
    if (headings.has(segment) || code.has(segment) || !isProse(segment)) continue
    const opening = tidy(wholeSentences(segment, least), DESCRIPTION_CHARACTERS)
    if (opening.length >= least) return opening
  }
  return ""
}

const SEGMENTS = 40

/** A sentence of some words that ends like one. */
const isProse = (text: string): boolean =>
  /^[\p{L}\p{N}"“(`]/u.test(text) &&
  /[.!?。！？]["”')]?$/u.test(text) &&
  (text.includes(" ") || /\p{Lo}/u.test(text)) &&
  !/[{};=]\s*$/.test(text)

const wholeSentences = (text: string, least: number): string => {
  let end = 0
  for (const { index, 0: mark } of text
    .slice(0, DESCRIPTION_CHARACTERS)
    .matchAll(/[.!?]["”')]?(?=\s+[\p{Lu}\p{N}"“(]|$)|[。！？]/gu)) {
    // "Philipp C." and "e.g." end no sentence.
    if (/(?:^|[\s.(])\p{L}$/u.test(text.slice(0, index))) continue
    end = index + mark.length
    if (end >= least) break
  }
  return text.slice(0, end)
}

/** Fewer pages with one description are no proof of a template. */
const ENOUGH_PAGES = 3

/** Descriptions that more than half of the pages have. */
export const templateDescriptions = (pages: ReadonlyArray<Page>): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const { description } of pages) counts.set(description, (counts.get(description) ?? 0) + 1)
  return new Set(
    pages.length < ENOUGH_PAGES
      ? []
      : [...counts].filter(([, count]) => count > pages.length / 2).map(([description]) => description)
  )
}
