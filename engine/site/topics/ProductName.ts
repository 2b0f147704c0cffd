import * as Effect from "effect/Effect"
import { pageKey } from "../../evidence/Address.ts"
import { isReference, isReferenceAddress, isReferenceIndexAddress, type Page } from "../../page/Page.ts"
import { oncePer } from "../../text/OncePer.ts"
import { wordSet } from "../../text/LettersApart.ts"
import { isAsideAddress } from "../address/PageUrl.ts"
import type { Base, Using } from "../base/Derivation.ts"
import type { Sample } from "../sample/Sample.ts"
import type { LlmsTxt } from "../wellknown/LlmsTxt.ts"

/** Parts of a URL or a title that name no product. */
const GENERIC = wordSet(
  "about ai and api apis app articles blog changelog cli client co com contents dev developer developers doc docs documentation edu elixir en example examples faq file" +
    " for getting gitbook github gitlab guide guides help home http https index install introduction io java javascript js kotlin latest learn lib library main manual" +
    " master module net netlify news next org overview package pages php platform product project python quick quickstart readme readthedocs reference" +
    " rest rs rtfd ruby rust sdk server site stable start started support swift table test the toc tutorial tutorials typescript vercel version welcome www your"
)

/** Those of the same that are languages. */
const LANGUAGES = wordSet("elixir java javascript kotlin node php python ruby rust swift typescript")

/** Names of technologies, and words of many products' names: a product is called by them where it has no other name. */
const COMMON = wordSet(
  "agent agents build cloud code community core framework llm llms mcp model models node open protocol service services system systems tool tools web"
)

/** A product may be called as a language is: its address says so, and the title of its first page, "Welcome to Swift’s documentation". */
const CALLED_LIKE =
  /\bwelcome to (?:the )?(\p{L}{3,30})(?![\p{L}-])|(?<!\p{L})(\p{L}{3,30})['’]s (?:documentation|docs|manual)\b/giu

const namedLikeLanguages = (address: ReadonlyArray<string>, title: string): ReadonlyArray<string> =>
  [...title.slice(0, 200).matchAll(CALLED_LIKE)]
    .map(([, welcome = "", owner = welcome]) => owner.toLowerCase())
    .filter((name) => LANGUAGES.has(name) && address.some((part) => part.toLowerCase() === name))

const SHORTEST = 3
/** A longer word is no name, in characters. */
const LONGEST = 60

const tokensOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token.length >= SHORTEST && token.length <= LONGEST && !GENERIC.has(token) && !/^\d/.test(token))

/** A longer title is a sentence. */
const TITLE_TOKENS = 3

const namesInTitle = (title: string): ReadonlyArray<string> => {
  const tokens = tokensOf(title)
  const own = tokens.filter((token) => !COMMON.has(token))
  if (own.length > TITLE_TOKENS || tokens.length > TITLE_TOKENS + 1) return []
  return own.length > 0 ? own : tokens
}

/**
 * The names that the documented product goes by, lower case, one word each: labels of the host, folders of the audited
 * URL, and short titles: what most pages have in theirs, the first page's, the llms.txt's H1.
 */
export const productNames = (
  base: Pick<Base, "url" | "prefix" | "page">,
  pages: Sample["pages"],
  llmsTxt: Pick<LlmsTxt, "file">
): ReadonlySet<string> => {
  const labels = new URL(base.url).hostname.split(".").slice(0, -1)
  const inAddress = [...labels, ...base.prefix.split("/")].flatMap(tokensOf).filter((token) => !COMMON.has(token))
  const titles = [
    ...sharedTitles(pages),
    ...titleParts(base.page?.title ?? ""),
    ...(llmsTxt.file?.document.titles ?? []).slice(0, 1)
  ]
  return new Set([
    ...inAddress,
    ...namedLikeLanguages([...labels, ...base.prefix.split("/")], base.page?.title ?? ""),
    ...titles.flatMap(namesInTitle)
  ])
}

/** The names of the product that a site documents. */
export const productNamesOf = Effect.fnUntraced(function* (
  site: { readonly base: Base } & Using<{ sample: Sample; llmsTxt: LlmsTxt }>
) {
  return productNames(site.base, (yield* site.sample).pages, yield* site.llmsTxt)
})

/** Whether a part of `word` that begins at `from` and has `least` characters or more is a name: no name is longer than `LONGEST`. */
const nameAt = (
  names: ReadonlySet<string>,
  word: string,
  from: number,
  least: number,
  counts: (name: string) => boolean
): boolean => {
  for (let end = from + least; end <= Math.min(word.length, from + LONGEST); end++) {
    const part = word.slice(from, end)
    if (names.has(part) && counts(part)) return true
  }
  return false
}

const isOwn = (name: string): boolean => !COMMON.has(name)

/** `word` is one of the names, or begins with one: `acmectl`. */
const bearsName = (names: ReadonlySet<string>, word: string): boolean =>
  names.has(word) || (word.length > SHORTEST && !GENERIC.has(word) && nameAt(names, word, 0, SHORTEST, isOwn))

/** Everything that a name begins with, listed once for each set of names: it is asked of every word of every example. */
const beginningsOf = oncePer(
  (names: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...names].flatMap((name) => Array.from({ length: name.length }, (_, index) => name.slice(0, index + 1))))
)

/** `word` is one of the names, begins with one, or is a short form that begins one (`kino` for `kinocut`). */
export const namesProduct = (names: ReadonlySet<string>, word: string): boolean => {
  const lower = word.toLowerCase()
  const isShortForm =
    lower.length > SHORTEST && !GENERIC.has(lower) && !COMMON.has(lower) && beginningsOf(names).has(lower)
  return isShortForm || bearsName(names, lower)
}

/** A name that is long enough to be told inside another word, in characters. */
const TELLING = 5

/** A package, server or host is named after the product: `@acme/sdk`, `python-acme`, `acmectl`, `mcp.acme.com`. */
export const isNamedAfter = (names: ReadonlySet<string>, text: string): boolean => {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  if (words.some((word) => bearsName(names, word))) return true
  const joined = words.join("")
  for (let from = 0; from + TELLING <= joined.length; from++)
    if (nameAt(names, joined, from, TELLING, () => true)) return true
  return false
}

/** Full-width bars need no spaces around them. */
const TITLE_SEPARATOR = / (?:[|·•»«–—-]|::) |\s?[｜│丨]\s?/u

/** A title names its page, and usually the site and a section, too. */
export const titleParts = (title: string): ReadonlyArray<string> =>
  title
    .split(TITLE_SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** Fewer pages tell nothing about what they share. */
const ENOUGH_PAGES = 3

/** Parts of titles that most of the pages share: the name of the site. Empty for fewer than three pages. */
export const sharedTitles = (pages: ReadonlyArray<Pick<Page, "title">>): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const page of pages)
    for (const part of new Set(titleParts(page.title))) counts.set(part, (counts.get(part) ?? 0) + 1)
  return new Set(
    pages.length < ENOUGH_PAGES ? [] : [...counts].filter(([, count]) => count > pages.length / 2).map(([part]) => part)
  )
}

/** A page like `/docs/api/`, or one of cards, that has neither code nor an operation only leads to the pages of the reference. */
export const isReferenceList = (page: Page): boolean =>
  page.operations.length === 0 &&
  page.codeBlocks.length === 0 &&
  (isReferenceIndexAddress(page.url) || consistsOfLinks(page))

/** At least half of the text of its main content is that of links to other pages. */
const consistsOfLinks = ({ links, main, url }: Page): boolean => {
  const linked = links.filter((link) => link.place === "main" && pageKey(link.url) !== pageKey(url))
  return 2 * linked.reduce((sum, { text }) => sum + text.length, 0) >= main.text.length
}

/**
 * Whether a page is a reference page, the site's name aside: if that is "Harbour API", not every page is one. A post of a blog is
 * none, whatever it shows.
 */
export const isReferenceBeside =
  (siteTitles: ReadonlySet<string>) =>
  (page: Page): boolean =>
    (isReferenceAddress(page.url) || !isAsideAddress(page.url)) &&
    isReference({
      ...page,
      title: titleParts(page.title)
        .filter((part) => !siteTitles.has(part))
        .join(" | ")
    })
