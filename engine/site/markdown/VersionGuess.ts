import { onSite } from "../../evidence/Address.ts"
import { evenStride } from "../sample/EvenStride.ts"
import type { LlmsTxt } from "../wellknown/LlmsTxt.ts"
import type { Page } from "../../page/Page.ts"
import { formsAt, VERSION_FORMS, versionUrl, type VersionForm } from "./VersionForm.ts"
import { isMarkdownType, isMarkdownUrl } from "../../text/MarkdownFile.ts"

/** One URL at which a page's Markdown version may be. */
export interface VersionGuess {
  readonly page: Page
  readonly url: string
  readonly how: "declared" | VersionForm
}

const LEARNERS = 4
/** Number of learner pages that are tried in every form if the likely forms find nothing. */
const THOROUGH_LEARNERS = 2
const DECLARED_PER_PAGE = 2

/** What pages declare themselves, then what llms.txt links to; at most two URLs on the site for a page. */
export const declaredGuesses = (
  site: string,
  pages: ReadonlyArray<Page>,
  llmsTxt: LlmsTxt
): ReadonlyArray<VersionGuess> => {
  const linked = markdownLinks(llmsTxt)
  return pages.flatMap((page) => {
    const listed = guessesFor(page, VERSION_FORMS)
      .map(({ url }) => url)
      .filter((url) => linked.has(url))
    const urls = new Set([...declaredBy(page), ...listed].filter((url) => url !== page.url && onSite(url, site)))
    return [...urls].slice(0, DECLARED_PER_PAGE).map((url): VersionGuess => ({ page, url, how: "declared" }))
  })
}

const markdownLinks = ({ file, nested }: LlmsTxt): ReadonlySet<string> => {
  const links = file === null ? [] : [file, ...nested].flatMap((each) => each.links)
  return new Set(links.flatMap(({ url }) => (url !== null && isMarkdownUrl(url) ? [url] : [])))
}

const declaredBy = (page: Page): ReadonlyArray<string> => {
  const announced = page.announcements.filter(
    ({ rel, type, url }) => rel.includes("alternate") && (isMarkdownType(type) || (type === "" && isMarkdownUrl(url)))
  )
  return [
    ...announced.map(({ url }) => url),
    ...[...page.controls.viewMarkdown, ...page.sourceLinks].filter(isMarkdownUrl)
  ]
}

/** Four of the pages, evenly spread; the home page is like no other, and one of them only where there are too few. */
const learnersAmong = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> => {
  const inner = pages.filter(({ url }) => URL.parse(url)?.pathname !== "/")
  return evenStride(inner.length >= LEARNERS ? inner : pages, LEARNERS)
}

/**
 * What to ask for four of the pages to learn where Markdown versions lie: the forms that declared URLs have, where
 * there are any; else the most common form.
 */
export const likelyGuesses = (
  pages: ReadonlyArray<Page>,
  declared: ReadonlyArray<VersionGuess>
): ReadonlyArray<VersionGuess> => {
  const hinted = VERSION_FORMS.filter((form) => declared.some(({ page, url }) => formsAt(page.url, url).includes(form)))
  return learnersAmong(pages).flatMap((page) =>
    guessesFor(page, hinted.length > 0 ? hinted : VERSION_FORMS.slice(0, 1))
  )
}

/** Where that taught nothing: every form, for two of the four. */
export const thoroughGuesses = (pages: ReadonlyArray<Page>): ReadonlyArray<VersionGuess> =>
  evenStride(learnersAmong(pages), THOROUGH_LEARNERS).flatMap((page) => guessesFor(page, VERSION_FORMS))

/** The URLs of a page's Markdown version in these forms, each once. */
export const guessesFor = (page: Page, forms: ReadonlyArray<VersionForm>): ReadonlyArray<VersionGuess> => {
  const guesses = forms.flatMap((how): ReadonlyArray<VersionGuess> => {
    const url = versionUrl(how, page.url)
    return url === null ? [] : [{ page, url, how }]
  })
  return guesses.filter(({ url }, index) => guesses.findIndex((guess) => guess.url === url) === index)
}
