import type { Page } from "../Page.ts"
import { type MarkdownDocument, textsOf } from "./MarkdownReader.ts"

/**
 * Whether the Markdown contains the text of a page. Both are folded to letters and digits, so that case, white space,
 * punctuation, Markdown syntax and character references make no difference, and compared by short windows, so that an
 * icon's label or a footnote number inside a paragraph does not make the whole paragraph missing.
 */
interface Parity {
  /** Different segments that were long enough to compare. */
  readonly segments: number
  /** Those of them that the Markdown lacks, as given. */
  readonly missing: ReadonlyArray<string>
}

/** Length of a window in characters: long enough not to match by chance. */
const WINDOW = 12

/** Minimum share of its windows that the Markdown must contain for a segment to count as found. */
const ENOUGH = 0.75

/** Maximum length of a text that is compared, in characters. */
const COMPARED_CHARACTERS = 500_000

/** Keeps only letters and digits, in upper case (which makes `ß` and `ss` equal), with compatibility forms (ligatures, full width) resolved. */
export const fold = (text: string): string =>
  text
    .replace(
      /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(?:amp|lt|gt|quot|apos|nbsp|ensp|emsp|thinsp|mdash|ndash|hellip|[lr][ds]quo|copy|reg|trade|bull|middot|rarr|larr|times));/g,
      characterOf
    )
    .normalize("NFKC")
    .toUpperCase()
    .normalize("NFKC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "")
    // Removed characters may have separated a letter from its combining mark.
    .normalize("NFKC")

const characterOf = (_reference: string, decimal: string | undefined, hexadecimal: string | undefined): string => {
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "20", 16) : Number(decimal)
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? "" : String.fromCodePoint(code)
}

/**
 * Searches the joined texts of the Markdown for each segment of at least `least` characters (as written). A segment that
 * a page contains twice is searched for once.
 */
export const parity = (segments: ReadonlyArray<string>, markdown: ReadonlyArray<string>, least: number): Parity => {
  const holds = holderOf(fold(markdown.join("\n").slice(0, COMPARED_CHARACTERS)))
  const looked = new Map(
    segments
      .filter((segment) => segment.trim().length >= least)
      .map((segment) => [fold(segment.slice(0, COMPARED_CHARACTERS)), segment] as const)
      .filter(([folded]) => folded.length >= WINDOW)
  )
  return {
    segments: looked.size,
    missing: [...looked].filter(([folded]) => !holds(folded)).map(([, segment]) => segment)
  }
}

/** As much of a segment is searched for: the search for a longer text may take its length at each character. */
const SEARCHED = 5 * WINDOW

/**
 * Whether a text has a segment. Segments are found whole, each after the one before it; from the first that is not, windows are
 * compared: no text is searched twice.
 */
const holderOf = (text: string): ((segment: string) => boolean) => {
  let end = 0
  let windows: ReadonlySet<string> | null = null
  return (segment) => {
    const at = windows === null ? text.indexOf(segment.slice(0, SEARCHED), end) : -1
    if (at >= 0 && text.startsWith(segment, at)) {
      end = at + segment.length
      return true
    }
    return holds((windows ??= windowsOf(text)), segment)
  }
}

const windowsOf = (folded: string): ReadonlySet<string> => {
  const windows = new Set<string>()
  for (let start = 0; start + WINDOW <= folded.length; start++) windows.add(folded.slice(start, start + WINDOW))
  return windows
}

const holds = (there: ReadonlySet<string>, folded: string): boolean => {
  const total = folded.length - WINDOW + 1
  let found = 0
  for (let start = 0; start < total; start++) if (there.has(folded.slice(start, start + WINDOW))) found++
  return found >= total * ENOUGH
}

/** Of a page this much is held against its Markdown, in characters. */
const PAGE_CHARACTERS = 20_000
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
  const words = distinctWords(page.main.text.slice(0, PAGE_CHARACTERS))
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
