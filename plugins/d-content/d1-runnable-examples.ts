import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { between, count, ratio, share, shareBetween } from "../../engine/plugin/Fact.ts"
import { withMissingText } from "../../engine/plugin/SampledPages.ts"
import { counted, someOf } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { isSubstantive, type Page } from "../../engine/page/Page.ts"
import type { DriftCounts, ProvenFinding } from "../../engine/site/drift/Compared.ts"
import { isReferenceBeside, isReferenceList } from "../../engine/site/topics/ProductName.ts"
import { type Article, articleOfPage } from "../../engine/site/texts/Article.ts"
import type { Nothing } from "./Citation.ts"
import { nothingRead, readDocumentation } from "./Documentation.ts"
import { addressVariables, isRunnable, linksRequest } from "./RunnableExample.ts"
import { pathAndQuery } from "./Topic.ts"

export const d1RunnableExamples = define({
  id: "d1-runnable-examples",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    reference_pages: count(
      "reference pages in the sample and, if those are fewer than three, up to ten more; without error texts, logins and bot challenges"
    ),
    runnable: share("of those, pages with a request or call that can be copied and run"),
    runnable_pages: count(
      "pages with a request or call that can be copied and run, among these reference pages, the sample, the topic pages and the full-text files"
    ),
    compared: count("calls, and parameter and response tables, of pages that were compared with the API description"),
    agreeing: count("of those, in agreement with it"),
    untrue: count("of those, with an address, parameter, field or value that it does not have"),
    untrue_calls: count("of those, calls, on the pages that were read")
  },
  measure: Effect.fn("d1-runnable-examples")(
    function* (site) {
      const documentation = yield* readDocumentation(site)
      const { articles, isOwn, names, reader, sampled, siteTitles, topicPages, tried } = documentation
      const more = (yield* site.referencePages).filter(isSubstantive)
      const shows = (article: Article): boolean => {
        const variables = addressVariables(article.codeBlocks)
        return article.codeBlocks.some((block) => {
          const { heading, path, text } = article.sections[block.section] ?? article.sections[0]
          const around = () => [article.title, ...path, heading, text].join("\n")
          return isRunnable(block, { names, reader, isOwn, heading, around, variables })
        })
      }
      const reference = withoutLists([...sampled, ...more].filter(isReferenceBeside(siteTitles)))
      const lacking = reference.filter((page) => !shows(articleOfPage(page)) && !linksRequest(page))
      const linking = new Set([...sampled, ...topicPages, ...more].filter(linksRequest).map(({ url }) => url))
      const showing = [...articles, ...more.map(articleOfPage)].filter(
        (article) => article.kind !== "spec" && (shows(article) || linking.has(article.url))
      )
      const runnable = ratio(reference.length - lacking.length, reference.length)
      const { call, table } = yield* site.drift
      const [first, ...others] = findingsOf(reference, lacking, showing, {
        message: nothingRead({ ...documentation, spec: null }, "shows a request or call that can be copied and run"),
        tried
      })
      return {
        facts: {
          reference_pages: reference.length,
          runnable,
          runnable_pages: new Set(showing.map(({ url }) => url)).size,
          compared: call.counts.compared + table.counts.compared,
          agreeing: call.counts.agreeing + table.counts.agreeing,
          untrue: call.counts.false + table.counts.false,
          untrue_calls: call.counts.false
        },
        findings: [
          call.counts.false === 0 ? first : falseSummary(first, call.counts),
          ...(call.counts.false === 0 ? [] : [first]),
          ...others,
          ...falseFindings([...call.findings, ...table.findings])
        ] as const
      }
    },
    withMissingText(
      ({ agreeing, compared, untrue: wrong, reference_pages: whole, runnable, runnable_pages: pages }, missing) => ({
        reference_pages: between(whole, whole + missing),
        runnable: shareBetween(Math.round(runnable * whole), whole, missing),
        runnable_pages: between(pages, null),
        compared: between(compared, null),
        agreeing: between(agreeing, null),
        untrue: between(wrong, null)
      })
    )
  )
})

/** Pages that only list others are left out, unless there is nothing else. */
const withoutLists = (reference: ReadonlyArray<Page>): ReadonlyArray<Page> => {
  const own = reference.filter((page) => !isReferenceList(page))
  return own.length > 0 ? own : reference
}

const findingsOf = (
  reference: ReadonlyArray<Page>,
  lacking: ReadonlyArray<Page>,
  showing: ReadonlyArray<Article>,
  nothing: Nothing
): readonly [Finding, ...ReadonlyArray<Finding>] => {
  const urls = new Set(reference.map(({ url }) => url))
  const example = showing.find(({ url }) => urls.has(url)) ?? showing[0]
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

/** What decides while a call is false: that it is, however many others can be run. */
const falseSummary = (first: Finding, { compared, false: wrong }: DriftCounts): Finding => ({
  ...first,
  good: false,
  message: `${someOf(wrong, compared, ["call that we compared", "calls that we compared"], ["is", "are"])} false by the API description. While one is, examples earn no points.`
})

/** Findings of one report; the rest are counted. */
const FALSE_SHOWN = 5

/** What pages show and the description does not have. */
const falseFindings = (found: ReadonlyArray<ProvenFinding>): ReadonlyArray<Finding> => {
  const shown = found
    .slice(0, FALSE_SHOWN)
    .map(({ finding, proof }) => ({ good: false, message: finding.message, proof }))
  const next = found[FALSE_SHOWN]
  if (next === undefined) return shown
  const more = counted(found.length - FALSE_SHOWN, "more place")
  return [
    ...shown,
    { good: false, message: `… and ${more} where pages and the API description part.`, proof: next.proof }
  ]
}

const lackShown = (page: Page): Finding => ({
  good: false,
  message: `${pathAndQuery(page.url)} shows no request or call that can be run.`,
  proof: page.answer
})
