import { unescapeMarkup } from "../../../engine/text/MarkupText.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { type Content, html } from "../kit/Html.ts"
import { pathOf } from "./DocPage.ts"
import type { DocsBook } from "./DocsBook.ts"

/** A section of the documentation that the search knows. */
export interface SearchSection {
  readonly page: string
  /** Empty above the first heading of a page. */
  readonly heading: string
  readonly path: string
  readonly text: string
  /** Page, heading and text in lower case. */
  readonly lower: { readonly page: string; readonly heading: string; readonly text: string }
}

/** Hits that are shown. */
export const MOST_HITS = 20
/** Words of a question that count. */
const MOST_WORDS = 8
/** Characters of the excerpt before the first word that was found, and of the whole. */
const [BEFORE, LONGEST] = [60, 200]

/** The index of all pages, section by section. */
export const searchIndex = ({ bot, docs }: DocsBook): ReadonlyArray<SearchSection> =>
  [...docs, bot].flatMap((doc) =>
    doc
      .html()
      .html.split(/(?=<h[2-4] id=")/)
      .map((part, place): SearchSection => {
        const [, id = "", heading = ""] = /^<h[2-4] id="([^"]+)">(.*?)<\/h[2-4]>/s.exec(part) ?? []
        const shown = {
          page: doc.title,
          heading: textOf(heading),
          text: textOf(`${place === 0 ? `${doc.description} ` : ""}${part.replace(/^<h[2-4].*?<\/h[2-4]>/s, "")}`)
        }
        return {
          ...shown,
          path: id === "" ? pathOf(doc.url) : `${pathOf(doc.url)}#${id}`,
          lower: {
            page: shown.page.toLowerCase(),
            heading: shown.heading.toLowerCase(),
            text: shown.text.toLowerCase()
          }
        }
      })
  )

/** The text of HTML that our own renderer wrote, with a space between blocks. */
const textOf = (written: string): string =>
  plainText(unescapeMarkup(written.replace(/<\/(?:p|li|td|th|h\d|pre|tr)>/g, " ").replace(/<[^<>]*>/g, "")), 100_000)

/** The words of a question in lower case, without their endings: `retry` finds `retries`. */
export const wordsOf = (question: string): ReadonlyArray<string> =>
  [
    ...new Set(
      question
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== "")
        .map(stemOf)
    )
  ].slice(0, MOST_WORDS)

const stemOf = (word: string): string => (word.length > 4 ? word.replace(/(?:ies|ing|ed|es|s|y|e)$/, "") : word)

/** Sections that have every word, best first: in the title, then in the heading, then in the text; else in the order of the pages. */
export const searchHits = (
  index: ReadonlyArray<SearchSection>,
  words: ReadonlyArray<string>
): ReadonlyArray<SearchSection> =>
  words.length === 0
    ? []
    : index
        .map((section) => ({ section, rank: rankOf(section, words) }))
        .filter(({ rank }) => rank > 0)
        .sort((one, other) => other.rank - one.rank)
        .slice(0, MOST_HITS)
        .map(({ section }) => section)

/** Zero if a word is missing. */
const rankOf = ({ lower: { heading, page, text } }: SearchSection, words: ReadonlyArray<string>): number => {
  let rank = 0
  for (const word of words) {
    const found =
      (heading.includes(word) ? 4 : 0) +
      (page.includes(word) ? (heading === "" ? 6 : 1) : 0) +
      (text.includes(word) ? 1 : 0)
    if (found === 0) return 0
    rank += found
  }
  return rank
}

/** The text around the first word that was found, with all of them marked. */
export const excerptOf = ({ lower, text }: SearchSection, words: ReadonlyArray<string>): Content => {
  const first = Math.min(...words.map((word) => lower.text.indexOf(word)).filter((place) => place >= 0), text.length)
  const from = first - BEFORE <= 0 || first === text.length ? 0 : text.indexOf(" ", first - BEFORE) + 1
  const excerpt = `${from === 0 ? "" : "…"}${text.slice(from, from + LONGEST)}${text.length > from + LONGEST ? "…" : ""}`
  return marked(excerpt, words)
}

const marked = (text: string, words: ReadonlyArray<string>): Content => {
  const lower = text.toLowerCase()
  const parts: Array<Content> = []
  let at = 0
  while (at < text.length) {
    const next = words
      .map((word) => ({ word, place: lower.indexOf(word, at) }))
      .filter(({ place }) => place >= 0)
      .sort((one, other) => one.place - other.place)[0]
    if (next === undefined) break
    const end =
      next.place + next.word.length + (/^[a-z]*/.exec(lower.slice(next.place + next.word.length))?.[0].length ?? 0)
    parts.push(text.slice(at, next.place), html`<mark>${text.slice(next.place, end)}</mark>`)
    at = end
  }
  return [...parts, text.slice(at)]
}
