import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { between, count, ratio, share, shares } from "../../engine/plugin/Fact.ts"
import { isItself, sampledPages } from "../../engine/plugin/SampledPages.ts"
import { counted, enumerated, grouped, pathShown } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { samePage } from "../../engine/evidence/Address.ts"
import { describesPage, type Page } from "../../engine/page/Page.ts"
import { readingLength } from "../../engine/text/languages/Language.ts"

/** What is in the title until scripts fill it, or what a template began with. */
const PLACEHOLDER_TITLE =
  /^(?:(?:please wait|loading|untitled(?: (?:document|page))?)[\s.…]{0,9}|document|react app|vite app)$/i

/** B4: the `<head>` of a page says what the page is. */
export const b4Metadata = define({
  id: "b4-metadata",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({
    /** Minimum length of a description, in characters; one of Chinese, Japanese or Korean counts as two. */
    description_characters: Schema.Int,
    /** A description on more than this share of the pages comes from the template. */
    shared_description: Schema.Finite
  }),
  facts: {
    pages: count(
      "sampled pages that were fetched; one that is not HTML has no head, and so none of the elements below"
    ),
    title: share("of those, pages with a title"),
    description: share("of those, pages with their own description of sufficient length"),
    canonical: share(
      "of those, pages with a canonical that is the page's own URL, apart from trailing slashes and redirects"
    ),
    canonical_elsewhere: share("of those, pages with a canonical that is another URL"),
    language: share("of those, pages that declare their language"),
    structured_data: share(
      "of those, pages with a schema.org type other than Organization, WebSite, BreadcrumbList and their parts"
    )
  },
  measure: Effect.fn("b4-metadata")(function* (site, params) {
    const { first, missing, pages } = yield* sampledPages(site)
    const template = templateDescriptions(pages, params.shared_description, 0)
    const elements: ReadonlyArray<Element> = [
      {
        name: "title",
        words: "a title",
        has: ({ title }) => title !== "" && !PLACEHOLDER_TITLE.test(title),
        lack: ({ title }) => (title === "" ? "has no title" : "has only a placeholder as its title")
      },
      {
        name: "description",
        words: "a page-specific description",
        has: ({ description }) =>
          readingLength(description) >= params.description_characters && !template.has(description),
        lack: ({ description }) => {
          if (description === "") return "has no description"
          return template.has(description)
            ? "has the description that most pages have"
            : `has a description of only ${counted(readingLength(description), "character")}`
        }
      },
      {
        name: "canonical",
        words: "a self-referencing canonical URL",
        has: namesItself,
        lack: ({ canonical, url }) =>
          canonical === null ? "has no canonical URL" : `names another URL as canonical: ${otherShown(canonical, url)}`
      },
      {
        name: "language",
        words: "a language (lang)",
        has: ({ lang }) => lang.trim() !== "",
        lack: () => "has no `lang` on `<html>`"
      },
      {
        name: "structured_data",
        words: "structured data about the page",
        has: ({ structured }) => describesPage(structured),
        lack: ({ structured: { types } }) =>
          types.length === 0
            ? "has no structured data"
            : `has structured data about the site only (${enumerated([...new Set(types)].slice(0, TYPES))})`
      }
    ]
    const seen = elements.map(({ has, lack, name, words }) => {
      const without = pages.flatMap((page) => {
        const clause =
          page.format !== "html"
            ? "is not HTML, so it has no <head>"
            : !isItself(page)
              ? "is an error page, a login or a bot challenge"
              : has(page)
                ? null
                : lack(page)
        return clause === null ? [] : [{ page, clause }]
      })
      return { name, words, without }
    })
    const having = (name: Element["name"]): number =>
      pages.length - (seen.find((one) => one.name === name)?.without.length ?? 0)
    const has = shares(
      {
        title: having("title"),
        description: having("description"),
        canonical: having("canonical"),
        canonical_elsewhere: pages.filter(namesAnother).length,
        language: having("language"),
        structured_data: having("structured_data")
      },
      pages.length,
      missing.length
    )
    // Structured data is only reported: nothing is missing without it.
    const lacking = seen
      .filter(({ name, without }) => without.length > 0 && name !== "structured_data")
      .toSorted((one, other) => other.without.length - one.without.length)
    return {
      facts: { pages: pages.length, ...has.facts },
      uncertain: {
        pages: between(pages.length, pages.length + missing.length),
        ...has.uncertain,
        description: missing.length === 0 ? undefined : described(pages, params, missing.length)
      },
      unanswered: missing,
      findings: [
        {
          good: seen.some(({ without }) => without.length < pages.length),
          message: summary(pages.length, lacking),
          proof: first
        },
        ...lacking.flatMap(({ without }) => without.slice(0, 1).map(lackShown)),
        ...lacking.flatMap(({ without }) => without.slice(1).map(lackShown))
      ]
    }
  })
})

interface Element {
  readonly name: "title" | "description" | "canonical" | "language" | "structured_data"
  readonly words: string
  readonly has: (page: Page) => boolean
  /** Why a page does not have it, as a clause. */
  readonly lack: (page: Page) => string
}

interface Lack {
  readonly page: Page
  readonly clause: string
}

const lackShown = ({ clause, page }: Lack): Finding => ({
  good: false,
  message: `${pathShown(page.url)} ${clause}.`,
  proof: page.answer
})

/** Schema.org types to name. */
const TYPES = 3

/** The path of a canonical, with its host if that is another one. */
const otherShown = (canonical: string, url: string): string => {
  const host = URL.parse(canonical)?.host ?? ""
  return `${host === new URL(url).host ? "" : host.slice(0, 80)}${pathShown(canonical)}`
}

/** Which elements pages lack, the most frequent first. */
const summary = (
  pages: number,
  lacking: ReadonlyArray<{ readonly words: string; readonly without: ReadonlyArray<Lack> }>
): string => {
  if (pages === 0) return "No page could be fetched."
  const all = "a title, a description, a canonical URL and a language"
  if (lacking.length === 0)
    return pages === 1 ? `The sampled page has ${all}.` : `All ${pages} sampled pages have ${all}.`
  if (pages === 1) return `Missing: ${enumerated(lacking.map(({ words }) => words))}.`
  const counts = [...new Set(lacking.map(({ without }) => without.length))]
  const named = (count: number): string =>
    enumerated(lacking.flatMap(({ words, without }) => (without.length === count ? [words] : [])))
  return `Missing ${counts.map((count, index) => `on ${pagesShown(count, pages, index === 0)}: ${named(count)}`).join("; ")}.`
}

/** `all 19 pages`, `3 of 19 pages`; after the first, `3`. */
const pagesShown = (count: number, pages: number, first: boolean): string => {
  if (!first) return grouped(count)
  return `${count === pages ? "all" : `${grouped(count)} of`} ${grouped(pages)} pages`
}

/** With fewer pages, two equal descriptions are no proof of a template. */
const ENOUGH_PAGES = 3

/** `like`: this many more pages may have the same description. */
const templateDescriptions = (
  pages: ReadonlyArray<Page>,
  shared: number,
  like: number,
  all = pages.length
): ReadonlySet<string> => {
  const descriptions = pages.map(({ description }) => description)
  const common = (text: string) => descriptions.filter((other) => other === text).length + like > shared * all
  return new Set(all < ENOUGH_PAGES ? [] : descriptions.filter(common))
}

/** The share of pages with a description of their own, if the missing ones share one with others, and if none of them does. */
const described = (
  pages: ReadonlyArray<Page>,
  {
    description_characters: least,
    shared_description: shared
  }: { readonly description_characters: number; readonly shared_description: number },
  missing: number
) => {
  const all = pages.length + missing
  const own = (template: ReadonlySet<string>): number =>
    pages.filter(
      (page) =>
        page.format === "html" &&
        isItself(page) &&
        readingLength(page.description) >= least &&
        !template.has(page.description)
    ).length
  const fewest = Math.min(
    own(templateDescriptions(pages, shared, missing, all)),
    own(templateDescriptions(pages, shared, 0))
  )
  const most = Math.max(own(templateDescriptions(pages, shared, 0, all)), own(templateDescriptions(pages, shared, 0)))
  return between(ratio(fewest, all), ratio(most + missing, all))
}

const namesAnother = (page: Page): boolean =>
  page.format === "html" && isItself(page) && page.canonical !== null && !namesItself(page)

const namesItself = ({ answer, canonical, url }: Page): boolean =>
  canonical !== null &&
  [url, answer.asked.url, ...answer.redirects.map((redirect) => redirect.url)].some((own) => samePage(canonical, own))
