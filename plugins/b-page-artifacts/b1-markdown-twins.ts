import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { ofPages, withSampledPages } from "../../engine/criterion/SampledPages.ts"
import { pathShown } from "../../engine/criterion/Wording.ts"
import type { PageTwin, TwinAttempt } from "../../engine/site/Twins.ts"
import { countsAsOwnMarkdown } from "./OwnMarkdown.ts"

/** B1: each page can be had as Markdown at an address of its own. */
export const b1MarkdownTwins = define({
  id: "b1-markdown-twins",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    pages: count("pages of the sample that were fetched"),
    with_twin: share("of those, pages with a Markdown twin")
  },
  measure: Effect.fn("b1-markdown-twins")(function*(site) {
    const [{ first, pages }, gathered] = yield* withSampledPages(site, site.twins)
    const twins = gathered.pages.map(countsAsOwnMarkdown(pages) ? (one) => one : withoutOwn)
    const without = twins.filter(({ twin }) => twin === null)
    const example = twins.find(({ twin }) => twin !== null)
    const attempts = twins.flatMap((one) => one.attempts)
    const failed = attempts[0]
    if (example === undefined && failed !== undefined && attempts.every(({ verdict }) => verdict === "unobtainable")) {
      return yield* new Unobtainable({ message: "No Markdown version of a page could be had.", exchange: failed.exchange })
    }
    const found = twins.length - without.length
    return {
      facts: { pages: pages.length, with_twin: ratio(found, pages.length) },
      findings: [
        {
          good: example !== undefined,
          message: `A Markdown twin was found for ${ofPages(found, pages)}${example === undefined ? "" : `, such as ${pathShown(example.twin?.url ?? "")}`}.`,
          proof: example?.twin?.answer ?? attempts.find(({ verdict }) => verdict !== "absent")?.exchange ?? failed?.exchange ?? first
        },
        ...without.slice(0, 4).flatMap(shortcoming)
      ]
    }
  })
})

const withoutOwn = (one: PageTwin): PageTwin => (one.twin?.how === "self" ? { ...one, twin: null } : one)

/** What stands where a twin could be; an address that is simply not there says nothing more. */
const SHORTCOMINGS: Readonly<Partial<Record<TwinAttempt["verdict"], string>>> = {
  html: "is a web page, not Markdown",
  error_text: "is an error text with status 200",
  foreign: "is Markdown without the words of the page",
  taken: "is the Markdown of another page already",
  unobtainable: "could not be had"
}

const shortcoming = ({ attempts, page }: PageTwin): ReadonlyArray<Finding> => {
  const attempt = attempts.find(({ verdict }) => SHORTCOMINGS[verdict] !== undefined)
  return attempt === undefined
    ? [{ good: false, message: `${pathShown(page.url)} has no Markdown twin.`, proof: attempts[0]?.exchange ?? page.answer }]
    : [{
      good: false,
      message: `${pathShown(attempt.url)}, tried as the twin of ${pathShown(page.url)}, ${SHORTCOMINGS[attempt.verdict]}.`,
      proof: attempt.exchange
    }]
}
