import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { isItself, sampledPages, someSampled } from "../../engine/criterion/SampledPages.ts"
import { between, shareBetween } from "../../engine/criterion/Uncertain.ts"
import { counted, percent } from "../../engine/criterion/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { samePage } from "../../engine/evidence/Address.ts"
import type { Page } from "../../engine/page/Page.ts"
import { describesPage } from "../../engine/page/StructuredTypes.ts"
import { readingLength } from "../../engine/text/languages/Words.ts"

/** B4: the `<head>` of a page says what the page is. */
export const b4Metadata = define({
  id: "b4-metadata",
  revision: 2,
  budget: NO_REQUESTS,
  params: Schema.Struct({
    /** Minimum length of a description, in characters; one of Chinese, Japanese or Korean counts as two. */
    description_characters: Schema.Int,
    /** A description on more than this share of the pages comes from the template. */
    shared_description: Schema.Finite
  }),
  facts: {
    pages: count("sampled pages that were fetched; one that is not HTML has no head, and so none of the elements below"),
    title: share("of those, pages with a title"),
    description: share("of those, pages with their own description of sufficient length"),
    canonical: share("of those, pages with a canonical that is the page's own URL, apart from trailing slashes and redirects"),
    language: share("of those, pages that declare their language"),
    structured_data: share("of those, pages with a schema.org type other than Organization, WebSite, BreadcrumbList and their parts")
  },
  measure: Effect.fn("b4-metadata")(function*(site, params) {
    const { first, missing, pages } = yield* sampledPages(site)
    const template = templateDescriptions(pages, params.shared_description, 0)
    const elements: ReadonlyArray<Element> = [
      { name: "title", words: "a title", has: ({ title }) => title !== "" },
      {
        name: "description",
        words: `a description of at least ${params.description_characters} characters that is not the template's`,
        has: ({ description }) => readingLength(description) >= params.description_characters && !template.has(description)
      },
      { name: "canonical", words: "a canonical that is the page's own URL", has: namesItself },
      { name: "language", words: "a declared language", has: ({ lang }) => lang.trim() !== "" },
      { name: "structured_data", words: "structured data about the page", has: ({ structured }) => describesPage(structured) }
    ]
    const seen = elements.map(({ has, name, words }) => {
      const without = pages.filter((page) => page.format !== "html" || !isItself(page) || !has(page))
      return { name, words, without, share: ratio(pages.length - without.length, pages.length) }
    })
    const shareOf = (name: Element["name"]): number => seen.find((one) => one.name === name)?.share ?? 0
    const uncertain = (name: Element["name"]) =>
      shareBetween(pages.length - (seen.find((one) => one.name === name)?.without.length ?? 0), pages.length, missing.length)
    const summary = seen.map(({ name, share }) => `${name.replace("_", " ")} ${percent(share)}`).join(", ")
    return {
      facts: {
        pages: pages.length,
        title: shareOf("title"),
        description: shareOf("description"),
        canonical: shareOf("canonical"),
        language: shareOf("language"),
        structured_data: shareOf("structured_data")
      },
      uncertain: {
        pages: between(pages.length, pages.length + missing.length),
        title: uncertain("title"),
        description: missing.length === 0 ? undefined : described(pages, params, missing.length),
        canonical: uncertain("canonical"),
        language: uncertain("language"),
        structured_data: uncertain("structured_data")
      },
      unanswered: missing,
      findings: [
        { good: seen.some(({ share }) => share > 0), message: pages.length === 0 ? "No page could be fetched." : `On ${counted(pages.length, "sampled page")}: ${summary}.`, proof: first },
        ...seen.filter(({ without }) => without.length > 0).toSorted((one, other) => other.without.length - one.without.length)
          .slice(0, 4)
          .map(({ without, words }): Finding => ({
            good: false,
            message: `${someSampled(without.length, pages, ["lacks", "lack"])} ${words}.`,
            proof: without[0]?.answer ?? first
          }))
      ]
    }
  })
})

interface Element {
  readonly name: "title" | "description" | "canonical" | "language" | "structured_data"
  readonly words: string
  readonly has: (page: Page) => boolean
}

/** With fewer pages, two equal descriptions are no proof of a template. */
const ENOUGH_PAGES = 3

/** `like`: this many more pages may have the same description. */
const templateDescriptions = (pages: ReadonlyArray<Page>, shared: number, like: number, all = pages.length): ReadonlySet<string> => {
  const descriptions = pages.map(({ description }) => description)
  const common = (text: string) => descriptions.filter((other) => other === text).length + like > shared * all
  return new Set(all < ENOUGH_PAGES ? [] : descriptions.filter(common))
}

/** The share of pages with a description of their own, if the missing ones share one with others, and if none of them does. */
const described = (
  pages: ReadonlyArray<Page>,
  { description_characters: least, shared_description: shared }: { readonly description_characters: number; readonly shared_description: number },
  missing: number
) => {
  const all = pages.length + missing
  const own = (template: ReadonlySet<string>): number =>
    pages.filter((page) => page.format === "html" && isItself(page) && readingLength(page.description) >= least && !template.has(page.description)).length
  const fewest = Math.min(own(templateDescriptions(pages, shared, missing, all)), own(templateDescriptions(pages, shared, 0)))
  const most = Math.max(own(templateDescriptions(pages, shared, 0, all)), own(templateDescriptions(pages, shared, 0)))
  return between(ratio(fewest, all), ratio(most + missing, all))
}

const namesItself = ({ answer, canonical, url }: Page): boolean =>
  canonical !== null
  && [url, answer.asked.url, ...answer.redirects.map((redirect) => redirect.url)].some((own) => samePage(canonical, own))
