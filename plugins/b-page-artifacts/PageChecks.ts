import { grouped } from "../../engine/criterion/Wording.ts"
import { type Heading, isReference, type Page } from "../../engine/page/Page.ts"

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
