import * as Effect from "effect/Effect"
import { Unobtainable } from "../../engine/plugin/Criterion.ts"
import { grouped } from "../../engine/plugin/Wording.ts"
import { onSite, pageKey } from "../../engine/evidence/Address.ts"
import { type Exchange, isUnobtainable } from "../../engine/evidence/Exchange.ts"
import type { FoundSpec } from "../../engine/apispec/ApiSpec.ts"
import { isReference, isSubstantive, type Page } from "../../engine/page/Page.ts"
import { productNames, sharedTitles } from "../../engine/site/topics/ProductName.ts"
import type { WrittenText } from "../../engine/text/languages/Language.ts"
import { type Reader, readerOf } from "../../engine/text/languages/Vocabulary.ts"
import type { Sample } from "../../engine/site/sample/Sample.ts"
import type { Site } from "../../engine/site/Site.ts"
import { type Article, articleOfPage, articleOfSpec, articlesOfAggregate } from "../../engine/site/texts/Article.ts"

/** All texts of the site that category D reads. */
export interface Documentation {
  /** Sampled pages, topic pages, reference pages, full-text files and the text of the API description, in this order. */
  readonly articles: ReadonlyArray<Article>
  /** Sampled pages, without error texts, logins and bot challenges. */
  readonly sampled: ReadonlyArray<Page>
  /** Pages that were read beside the sample, for their topics or as reference. */
  readonly topicPages: ReadonlyArray<Page>
  /** How many pages of the documentation are known: those that were read, and those that were not asked for. */
  readonly known: number
  readonly spec: FoundSpec | null
  /** See `productNames`. */
  readonly names: ReadonlySet<string>
  /** Reads the languages besides English that the texts are written in. */
  readonly reader: Reader
  /** A URL on one of the site's hosts or on a server that the API description names. */
  readonly isOwn: (url: string) => boolean
  /** Parts of titles that most pages share, such as the site's name. */
  readonly siteTitles: ReadonlySet<string>
  /** The proof to cite if nothing was found: a page that could have documented it. */
  readonly tried: Exchange
}

const assembled = new WeakMap<Sample, Documentation>()

/** Assembled once per audit. */
export const readDocumentation = Effect.fn("readDocumentation")(function* (site: Site) {
  const [sample, topicPages, referencePages, fullText, search, llmsTxt] = yield* Effect.all(
    [site.sample, site.topicPages, site.referencePages, site.fullText, site.spec, site.llmsTxt],
    { concurrency: "unbounded" }
  )
  const known = assembled.get(sample)
  if (known !== undefined) return known
  const sampled = sample.pages.filter(isReadable)
  const urls = new Set(sampled.map(({ url }) => url))
  const others = [...topicPages, ...referencePages].filter(
    (page) => isReadable(page) && !urls.has(page.url) && urls.add(page.url)
  )
  const had = new Set(
    [...sample.visits.map(({ candidate }) => candidate), ...sampled, ...others].map(({ url }) => pageKey(url))
  )
  const unread = sample.candidates.filter(({ url }) => !had.has(pageKey(url)))
  const tried = sample.visits[0]?.exchange ?? site.base.exchange
  const articles = [
    ...[...sampled, ...others].map(articleOfPage),
    ...fullText.files.flatMap(articlesOfAggregate),
    ...(search.best === null ? [] : [articleOfSpec(search.best)])
  ]
  const shut = sample.visits.find(
    ({ exchange, page }) => isUnobtainable(exchange) || (page !== null && page.challenge !== null)
  )
  if (articles.length === 0 && (shut !== undefined || isUnobtainable(tried)))
    return yield* new Unobtainable({
      message: "We could not fetch any documentation page.",
      exchange: shut?.exchange ?? tried
    })
  const siteTitles = sharedTitles(sampled)
  const servers = new Set((search.best?.spec.servers ?? []).flatMap(({ url }) => URL.parse(url)?.host ?? []))
  const likeliest = [...sampled.filter(isReference), ...others, ...sampled][0]?.answer ?? tried
  const documentation: Documentation = {
    articles,
    sampled,
    topicPages: others,
    known: sampled.length + others.length + unread.length,
    spec: search.best,
    names: productNames(site.base, sampled, llmsTxt),
    reader: readerOf(articles.map(writtenIn)),
    isOwn: (url) => onSite(url, site.base.site) || servers.has(URL.parse(url)?.host ?? ""),
    siteTitles,
    tried: likeliest
  }
  assembled.set(sample, documentation)
  return documentation
})

/** The pages that were read, where there are more of them than that. */
export const partRead = ({
  known,
  sampled,
  topicPages
}: Pick<Documentation, "known" | "sampled" | "topicPages">): string | null => {
  const pages = sampled.length + topicPages.length
  return pages > 0 && pages < known ? `${grouped(pages)} of ${grouped(known)} pages` : null
}

/** `We read 16 pages and the API description, and none of them explains authentication.`; `does` is what none of them does. */
export const nothingRead = (
  documentation: Pick<Documentation, "known" | "sampled" | "spec" | "topicPages">,
  does: string
): string => {
  const { sampled, spec, topicPages } = documentation
  const pages = sampled.length + topicPages.length
  const described = spec !== null
  if (pages === 0)
    return described
      ? `No page has text that we could read, and nothing in the API description ${does}.`
      : `No page has text that we could read, so none ${does}.`
  const [only] = [...sampled, ...topicPages]
  if (pages === 1 && only !== undefined && (only.answer.cut || only.textCut))
    return `Nothing in what we read of the only page${described ? ", nor in the API description," : ""} ${does}.`
  const part = partRead(documentation)
  if (pages === 1 && part === null)
    return described
      ? `Neither the only page we read nor the API description ${does}.`
      : `Nothing on the only page we read ${does}.`
  return `We read ${part ?? `${grouped(pages)} pages`}${described ? " and the API description" : ""}, and none of them ${does}.`
}

const writtenIn = ({ lang, sections }: Article): WrittenText => ({
  lang,
  text: sections.map(({ heading, text }) => `${heading}\n${text}`).join("\n")
})

/** A page with its own text: no error, login form or bot challenge. */
const isReadable = (page: Page): boolean => page.format !== "other" && isSubstantive(page)
