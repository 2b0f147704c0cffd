import type { Page } from "../Page.ts"
import { type MarkdownDocument, textsOf } from "./MarkdownReader.ts"

/** Of a page this much is held against its Markdown, in characters. */
const COMPARED_CHARACTERS = 20_000
/** Fewer distinct words than these tell no page from another. */
const ENOUGH_WORDS = 10
/** This share of the page's words is in a version of it. */
const OWN_SHARE = 0.5
/** Of a shorter text, such as a summary, this share of its words is the page's. */
const SUMMARY_SHARE = 0.6
const SUMMARY_WORDS = 2

/**
 * The page's own words are in the document: half or more of the distinct words of its main content. The document may say less
 * (a summary, or the version of a page of two lines) if most of its words are the page's. Where neither has words enough, the
 * page's title or first heading must be the document's title.
 */
export const hasOwnWords = (page: Page, document: MarkdownDocument): boolean => {
  const words = distinctWords(page.main.text.slice(0, COMPARED_CHARACTERS))
  const found = distinctWords(textsOf(document).join("\n"))
  const shared = [...words].filter((word) => found.has(word)).length
  if (words.size >= ENOUGH_WORDS && shared / words.size >= OWN_SHARE) return true
  if (shared >= SUMMARY_WORDS && shared / found.size >= SUMMARY_SHARE) return true
  const title = folded(document.title)
  return title !== "" && namesOf(page).includes(title)
}

/** First headings of level 1, and the first part of the title (before the site's name). */
const namesOf = (page: Page): ReadonlyArray<string> => [
  ...page.headings.filter(({ level }) => level === 1).map(({ text }) => folded(text)),
  folded(page.title),
  folded(page.title.split(/ [|·•»«–—-] /u)[0] ?? "")
]

const folded = (text: string): string => wordsIn(text).join(" ")

/** Words long enough to mean something: four letters, or two where a script has no spaces. */
const distinctWords = (text: string): ReadonlySet<string> =>
  new Set([...new Set(wordsIn(text))].filter((word) => word.length >= (/^[\x20-\x7e]+$/.test(word) ? 4 : 2)))

const wordsIn = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .normalize("NFKC")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
