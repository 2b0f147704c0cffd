import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { someOf } from "../../engine/criterion/Wording.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import { isReference, type Page } from "../../engine/site/Page.ts"
import { titleParts } from "../../engine/site/SiteTitle.ts"
import { type Article, articleOfPage } from "./Article.ts"
import { readDocumentation } from "./Documentation.ts"
import { isRunnable } from "./RunnableExample.ts"
import { pathOf } from "./Subject.ts"

/** Pages without an example that are named, at most. */
const NAMED_PAGES = 3

export const d1RunnableExamples = define({
  id: "d1-runnable-examples",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    reference_pages: count("Reference pages of the sample that are pages: no error text, login or challenge"),
    runnable: share("Of those, pages with a request or call that can be copied and run"),
    runnable_pages: count("Pages with one among the sample, the subject pages and the aggregates")
  },
  measure: Effect.fn("d1-runnable-examples")(function*(site) {
    const { articles, names, sampled, siteTitles, tried } = yield* readDocumentation(site)
    const shows = (article: Article): boolean =>
      article.codeBlocks.some((block) => isRunnable(block, { names, heading: article.sections[block.section]?.heading ?? "" }))
    const reference = sampled.filter((page) => isReference({ ...page, title: ownTitle(page, siteTitles) }))
    const lacking = reference.filter((page) => !shows(articleOfPage(page)))
    const showing = articles.filter((article) => article.kind !== "spec" && shows(article))
    const runnable = ratio(reference.length - lacking.length, reference.length)
    return {
      facts: { reference_pages: reference.length, runnable, runnable_pages: new Set(showing.map(({ url }) => url)).size },
      findings: findingsOf(reference, lacking, showing, tried)
    }
  })
})

/** Without the name of the site: where that is "Harbour API", not every page is a reference page. */
const ownTitle = ({ title }: Page, siteTitles: ReadonlySet<string>): string =>
  titleParts(title).filter((part) => !siteTitles.has(part)).join(" | ")

const findingsOf = (
  reference: ReadonlyArray<Page>,
  lacking: ReadonlyArray<Page>,
  showing: ReadonlyArray<Article>,
  tried: Exchange
): readonly [Finding, ...ReadonlyArray<Finding>] => {
  const [example] = showing
  if (example === undefined)
    return [{ good: false, message: "No code block holds a request or call that can be copied and run.", proof: lacking[0]?.answer ?? tried }]
  const among = reference.length === 0
    ? "There are no reference pages in the sample"
    : `${someOf(reference.length - lacking.length, reference.length, "reference page")} ${reference.length === 1 ? "shows" : "show"} a request or call that can be copied and run`
  return [
    { good: lacking.length === 0 && reference.length > 0, message: `${among}; an example stands on ${pathOf(example.url)}.`, proof: example.exchange },
    ...lacking.slice(0, NAMED_PAGES).map((page) => ({ good: false, message: `${pathOf(page.url)} shows none.`, proof: page.answer }))
  ]
}
