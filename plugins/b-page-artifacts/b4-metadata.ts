import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { isItself, ofPages, sampledPages } from "../../engine/criterion/SampledPages.ts"
import { counted, percent } from "../../engine/criterion/Wording.ts"
import { samePage } from "../../engine/evidence/Address.ts"
import type { Page } from "../../engine/site/Page.ts"

/** B4: pages say what they are before they are read. */
export const b4Metadata = define({
  id: "b4-metadata",
  revision: 1,
  params: Schema.Struct({
    /** Shortest description that says something, in characters. */
    description_characters: Schema.Int,
    /** A description that a larger share of the pages has is the template's. */
    shared_description: Schema.Finite
  }),
  facts: {
    pages: count("pages of the sample that were fetched; one that is no HTML has no head, and so none of what follows"),
    title: share("of those, pages with a title"),
    description: share("of those, pages with a long enough description of their own"),
    canonical: share("of those, pages with a canonical that names the page itself, trailing slash and redirects aside"),
    language: share("of those, pages that declare their language"),
    structured_data: share("of those, pages with a schema.org type other than Organization, WebSite, BreadcrumbList and what goes with those")
  },
  measure: Effect.fn("b4-metadata")(function*(site, params) {
    const { first, pages } = yield* sampledPages(site)
    const template = templateDescriptions(pages, params.shared_description)
    const elements: ReadonlyArray<Element> = [
      { name: "title", words: "A title", has: ({ title }) => title !== "" },
      {
        name: "description",
        words: `A description of ${params.description_characters} characters or more of its own`,
        has: ({ description }) => description.length >= params.description_characters && !template.has(description)
      },
      { name: "canonical", words: "A canonical that names the page itself", has: namesItself },
      { name: "language", words: "A language", has: ({ lang }) => lang.trim() !== "" },
      { name: "structured_data", words: "Structured data about the page", has: ({ structured }) => structured.types.some((type) => !SITE_TYPES.has(type)) }
    ]
    const seen = elements.map(({ has, name, words }) => {
      const without = pages.filter((page) => page.format !== "html" || !isItself(page) || !has(page))
      return { name, words, without, share: ratio(pages.length - without.length, pages.length) }
    })
    const shareOf = (name: Element["name"]): number => seen.find((one) => one.name === name)?.share ?? 0
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
      findings: [
        { good: seen.some(({ share }) => share > 0), message: pages.length === 0 ? "No page could be fetched." : `On ${counted(pages.length, "sampled page")}: ${summary}.`, proof: first },
        ...seen.filter(({ without }) => without.length > 0).toSorted((one, other) => other.without.length - one.without.length)
          .slice(0, 4)
          .map(({ without, words }): Finding => ({
            good: false,
            message: `${words} is missing on ${ofPages(without.length, pages)}.`,
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

/** With fewer pages than this, two that share a description prove no template. */
const ENOUGH_PAGES = 3

const templateDescriptions = (pages: ReadonlyArray<Page>, shared: number): ReadonlySet<string> => {
  const descriptions = pages.map(({ description }) => description)
  const common = (text: string) => descriptions.filter((other) => other === text).length > shared * pages.length
  return new Set(pages.length < ENOUGH_PAGES ? [] : descriptions.filter(common))
}

const namesItself = ({ answer, canonical, url }: Page): boolean =>
  canonical !== null
  && [url, answer.asked.url, ...answer.redirects.map((redirect) => redirect.url)].some((own) => samePage(canonical, own))

/** What a template says of the site and its frame, not of the page. */
const SITE_TYPES = new Set([
  "Organization", "WebSite", "BreadcrumbList",
  "Corporation", "ListItem", "SearchAction", "EntryPoint", "PropertyValueSpecification", "ImageObject", "ContactPoint", "PostalAddress",
  "SiteNavigationElement", "WPHeader", "WPFooter", "WPSideBar"
])
