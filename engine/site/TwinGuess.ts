import { onSite } from "../evidence/Address.ts"
import { evenStride } from "./EvenStride.ts"
import type { LlmsTxt } from "./LlmsTxt.ts"
import type { Page } from "./Page.ts"
import { formsAt, TWIN_FORMS, twinAddress, type TwinForm } from "./TwinAddress.ts"

/** One address at which a page's Markdown version may be. */
export interface TwinGuess {
  readonly page: Page
  readonly url: string
  readonly how: "declared" | TwinForm
}

const LEARNERS = 4
/** Of the learners, so many are asked in every form where the likely ones lead nowhere. */
const THOROUGH_LEARNERS = 2
const DECLARED_PER_PAGE = 2

const MARKDOWN_FILE = /\.(?:md|mdx|markdown)(?:\.txt)?$/i
const MARKDOWN_TYPES = new Set(["text/markdown", "text/x-markdown"])

const isMarkdownAddress = (url: string): boolean => MARKDOWN_FILE.test(URL.parse(url)?.pathname ?? "")

/** What pages declare themselves, then what llms.txt links to; at most two addresses on the site for a page. */
export const declaredGuesses = (site: string, pages: ReadonlyArray<Page>, llmsTxt: LlmsTxt): ReadonlyArray<TwinGuess> => {
  const linked = markdownLinks(llmsTxt)
  return pages.flatMap((page) => {
    const listed = guessesFor(page, TWIN_FORMS).map(({ url }) => url).filter((url) => linked.has(url))
    const urls = new Set([...declaredBy(page), ...listed].filter((url) => url !== page.url && onSite(url, site)))
    return [...urls].slice(0, DECLARED_PER_PAGE).map((url): TwinGuess => ({ page, url, how: "declared" }))
  })
}

const markdownLinks = ({ file, nested }: LlmsTxt): ReadonlySet<string> => {
  const links = file === null ? [] : [file, ...nested].flatMap((each) => each.links)
  return new Set(links.flatMap(({ url }) => (url !== null && isMarkdownAddress(url) ? [url] : [])))
}

const declaredBy = (page: Page): ReadonlyArray<string> => {
  const announced = page.announcements.filter(({ rel, type, url }) =>
    rel.includes("alternate") && (MARKDOWN_TYPES.has(type) || (type === "" && isMarkdownAddress(url))))
  return [...announced.map(({ url }) => url), ...[...page.controls.viewMarkdown, ...page.sourceLinks].filter(isMarkdownAddress)]
}

/** Four of the pages, evenly spread; the home page is like no other, and one of them only where there are too few. */
const learnersAmong = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> => {
  const inner = pages.filter(({ url }) => URL.parse(url)?.pathname !== "/")
  return evenStride(inner.length >= LEARNERS ? inner : pages, LEARNERS)
}

/**
 * What to ask for four of the pages to learn where Markdown versions lie: the forms that declared addresses have, where
 * there are any; else the most common form.
 */
export const likelyGuesses = (pages: ReadonlyArray<Page>, declared: ReadonlyArray<TwinGuess>): ReadonlyArray<TwinGuess> => {
  const hinted = TWIN_FORMS.filter((form) => declared.some(({ page, url }) => formsAt(page.url, url).includes(form)))
  return learnersAmong(pages).flatMap((page) => guessesFor(page, hinted.length > 0 ? hinted : TWIN_FORMS.slice(0, 1)))
}

/** Where that taught nothing: every form, for two of the four. */
export const thoroughGuesses = (pages: ReadonlyArray<Page>): ReadonlyArray<TwinGuess> =>
  evenStride(learnersAmong(pages), THOROUGH_LEARNERS).flatMap((page) => guessesFor(page, TWIN_FORMS))

/** The addresses of a page's Markdown version in these forms, each once. */
export const guessesFor = (page: Page, forms: ReadonlyArray<TwinForm>): ReadonlyArray<TwinGuess> => {
  const guesses = forms.flatMap((how): ReadonlyArray<TwinGuess> => {
    const url = twinAddress(how, page.url)
    return url === null ? [] : [{ page, url, how }]
  })
  return guesses.filter(({ url }, index) => guesses.findIndex((guess) => guess.url === url) === index)
}
