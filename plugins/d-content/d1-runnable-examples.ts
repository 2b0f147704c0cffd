import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { withMissingText } from "../../engine/criterion/MissingText.ts"
import { between, shareBetween } from "../../engine/criterion/Uncertain.ts"
import { someOf } from "../../engine/criterion/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { isSubstantive, type Page } from "../../engine/page/Page.ts"
import { isReferenceBeside } from "../../engine/site/topics/SiteTitle.ts"
import { type Article, articleOfPage } from "./Article.ts"
import type { Nothing } from "./Citation.ts"
import { nothingRead, readDocumentation } from "./Documentation.ts"
import { isRunnable } from "./RunnableExample.ts"
import { pathAndQuery } from "./Topic.ts"

export const d1RunnableExamples = define({
  id: "d1-runnable-examples",
  revision: 2,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    reference_pages: count(
      "reference pages in the sample and, if those are fewer than three, up to ten more; without error texts, logins and bot challenges"
    ),
    runnable: share("of those, pages with a request or call that can be copied and run"),
    runnable_pages: count(
      "pages with a request or call that can be copied and run, among these reference pages, the sample, the topic pages and the full-text files"
    )
  },
  measure: Effect.fn("d1-runnable-examples")(
    function* (site) {
      const documentation = yield* readDocumentation(site)
      const { articles, names, reader, sampled, siteTitles, tried } = documentation
      const more = (yield* site.referencePages).filter(isSubstantive)
      const shows = (article: Article): boolean =>
        article.codeBlocks.some((block) =>
          isRunnable(block, { names, reader, heading: article.sections[block.section]?.heading ?? "" })
        )
      const reference = [...sampled, ...more].filter(isReferenceBeside(siteTitles))
      const lacking = reference.filter((page) => !shows(articleOfPage(page)))
      const showing = [...articles, ...more.map(articleOfPage)].filter(
        (article) => article.kind !== "spec" && shows(article)
      )
      const runnable = ratio(reference.length - lacking.length, reference.length)
      return {
        facts: {
          reference_pages: reference.length,
          runnable,
          runnable_pages: new Set(showing.map(({ url }) => url)).size
        },
        findings: findingsOf(reference, lacking, showing, {
          message: nothingRead({ ...documentation, spec: null }, "shows a request or call that can be copied and run"),
          tried
        })
      }
    },
    withMissingText(({ reference_pages: whole, runnable, runnable_pages: pages }, missing) => ({
      reference_pages: between(whole, whole + missing),
      runnable: shareBetween(Math.round(runnable * whole), whole, missing),
      runnable_pages: between(pages, null)
    }))
  )
})

const findingsOf = (
  reference: ReadonlyArray<Page>,
  lacking: ReadonlyArray<Page>,
  showing: ReadonlyArray<Article>,
  nothing: Nothing
): readonly [Finding, ...ReadonlyArray<Finding>] => {
  const [example] = showing
  if (example === undefined)
    return [
      { good: false, message: nothing.message, proof: lacking[0]?.answer ?? nothing.tried },
      ...lacking.map(lackShown)
    ]
  const among =
    reference.length === 0
      ? "We found no reference page"
      : `${someOf(reference.length - lacking.length, reference.length, ["reference page", "reference pages"], ["shows", "show"])} a request or call that can be copied and run`
  return [
    {
      good: lacking.length === 0 && reference.length > 0,
      message: `${among}. ${pathAndQuery(example.url)} has an example that can be run.`,
      proof: example.exchange
    },
    ...lacking.map(lackShown)
  ]
}

const lackShown = (page: Page): Finding => ({
  good: false,
  message: `${pathAndQuery(page.url)} shows no request or call that can be run.`,
  proof: page.answer
})
