import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { between, count, flag, ratio, share, shareBetween } from "../../engine/plugin/Fact.ts"
import { sampledPages } from "../../engine/plugin/SampledPages.ts"
import { counted, enumerated, grouped, pathShown, someOf } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { pageKey } from "../../engine/evidence/Address.ts"
import { isAnswer, isMissing, isUnobtainable } from "../../engine/evidence/Exchange.ts"
import { isSubstantive, type Page } from "../../engine/page/Page.ts"
import type { CandidateSource } from "../../engine/site/sample/SampleChoice.ts"
import type { Visit } from "../../engine/site/sample/Sample.ts"
import { plainText } from "../../engine/text/PlainText.ts"

/** E1: the HTML contains the text before any script runs. */
export const e1ServerRendered = define({
  id: "e1-server-rendered",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({ enough_pages: Schema.Int }),
  facts: {
    pages: count(
      "sampled pages that were fetched and, if those are fewer than `enough_pages`, linked pages that the site refuses and client routes that answer 404"
    ),
    substantive: share("of those, pages with substantive text in the HTML as sent"),
    unrendered: count("pages that show only a placeholder until scripts run, and client routes that answer 404"),
    refused: count("pages that we could not read: an error, a login, a bot challenge or a refusal"),
    thin: count("pages that we could read and that do not depend on scripts, but have no substantive text"),
    single_page: flag("the site has one page")
  },
  measure: Effect.fn("e1-server-rendered")(function* (site, params) {
    const { candidates, visits } = yield* site.sample
    const { missing, pages } = yield* sampledPages(site)
    const lost =
      pages.length < params.enough_pages
        ? visits.filter((visit) => visit.page === null && !isMissing(visit.exchange) && !isDeadLink(visit, pages))
        : []
    if (pages.length === 0 && lost.every(({ exchange }) => isUnobtainable(exchange))) {
      return yield* new Unobtainable({
        message: "We could not fetch any page of the site.",
        exchange: site.base.exchange
      })
    }
    const total = pages.length + lost.length
    const good = pages.filter(isSubstantive)
    const kinds = [
      ...pages.filter((page) => !isSubstantive(page)).map(kindOf),
      ...lost.map((visit) => (isGone(visit) ? "unrendered" : "refused"))
    ]
    const inSitemap = new Set(
      visits.flatMap(({ candidate, page }) => (page !== null && candidate.sources.includes("sitemap") ? [page] : []))
    )
    const times = (kind: Kind): number => kinds.filter((one) => one === kind).length
    const empty = { unrendered: times("unrendered"), refused: times("refused"), thin: times("thin") }
    const summary: Finding = {
      good: good.length === total,
      message:
        total === 1
          ? `The only page has ${good.length === 1 ? "its" : "no"} text in the HTML as sent.`
          : `${someOf(good.length, total, ["page", "pages"], ["has its", "have their"])} text in the HTML as sent${reasonsShown(empty, total)}.`,
      proof: (pages.find((page) => !isSubstantive(page)) ?? pages[0])?.answer ?? site.base.exchange
    }
    return {
      facts: {
        pages: total,
        substantive: ratio(good.length, total),
        ...empty,
        single_page: candidates.length <= 1 && visits.length <= 1
      },
      uncertain: {
        pages: between(total, total + missing.length),
        substantive: shareBetween(good.length, total, missing.length),
        unrendered: between(empty.unrendered, empty.unrendered + missing.length),
        refused: between(empty.refused, empty.refused + missing.length),
        thin: between(empty.thin, empty.thin + missing.length)
      },
      unanswered: missing,
      findings: [
        summary,
        ...pages
          .filter((page) => !isSubstantive(page))
          .map((page) => emptyPage(page, inSitemap.has(page) && good.length * 2 >= total)),
        ...hollowShown(good),
        ...lost.map(lostPage)
      ] as const
    }
  })
})

/** Headings with nothing below them: the next one is not part of their section. */
const emptyHeadings = ({ sections }: Page): ReadonlyArray<string> =>
  sections.flatMap(({ heading, level, text }, index) =>
    level > 0 && text.trim() === "" && (sections[index + 1]?.level ?? 0) <= level ? [heading] : []
  )

const isHollow = (page: Page): boolean => {
  const empty = emptyHeadings(page).length
  return page.format === "html" && empty >= 2 && empty * 2 >= page.sections.filter(({ level }) => level > 1).length
}

/** Pages with text whose sections, in good part, have none. */
const hollowShown = (pages: ReadonlyArray<Page>): ReadonlyArray<Finding> => {
  const hollow = pages.filter(isHollow)
  const [first] = hollow
  return first === undefined
    ? []
    : [
        {
          good: false,
          message: `${someOf(hollow.length, pages.length, ["page with text", "pages with text"], ["has", "have"])} sections with nothing below their heading in the HTML, such as ${enumerated(
            emptyHeadings(first)
              .slice(0, 3)
              .map((heading) => `"${plainText(heading, 60)}"`)
          )} on ${pathShown(first.url)}: if scripts fill these, agents don't see it. This costs no points.`,
          proof: first.answer
        }
      ]
}

/** A link that answers 404 or 410 leads nowhere, unless it is a route of a page that scripts fill in. */
const isDeadLink = (visit: Visit, pages: ReadonlyArray<Page>): boolean => isGone(visit) && !isClientRoute(visit, pages)

const isGone = ({ exchange }: Visit): boolean =>
  isAnswer(exchange) && (exchange.status === 404 || exchange.status === 410)

const isClientRoute = ({ candidate }: Visit, pages: ReadonlyArray<Page>): boolean =>
  pages.some(
    ({ links, substance }) =>
      substance === "placeholder" && links.some(({ url }) => pageKey(url) === pageKey(candidate.url))
  )

/** Why a page has no substantive text. */
type Kind = "unrendered" | "refused" | "thin"

const kindOf = (page: Page): Kind => {
  if (page.challenge !== null || page.loginWall || page.saysNotFound) return "refused"
  return page.substance === "placeholder" ? "unrendered" : "thin"
}

/** What is wrong with the pages without text, to end the sentence with. */
const reasonsShown = ({ refused, thin, unrendered }: Readonly<Record<Kind, number>>, total: number): string => {
  const others = refused + thin + unrendered
  if (others === 0) return ""
  if (others === 1)
    return `; the other ${unrendered === 1 ? "is filled by scripts" : thin === 1 ? "has next to no text" : "is an error, a login or a refusal"}`
  const some = (count: number): string =>
    count < others ? grouped(count) : others === total ? "all" : `the other ${grouped(others)}`
  const reasons = [
    ...(unrendered === 0 ? [] : [`${some(unrendered)} ${unrendered === 1 ? "is" : "are"} filled by scripts`]),
    ...(thin === 0 ? [] : [`${some(thin)} ${thin === 1 ? "has" : "have"} next to no text`]),
    ...(refused === 0
      ? []
      : [`${some(refused)} ${refused === 1 ? "is an error, a login or a refusal" : "are errors, logins or refusals"}`])
  ]
  return `${others === total ? ": " : reasons.length === 1 ? "; " : "; of the others, "}${enumerated(reasons)}`
}

/** Generators make pages of components too, such as Docusaurus of what is in `src/pages`, and list them in the sitemap: `mayBeNoPage`. */
const emptyPage = (page: Page, mayBeNoPage: boolean): Finding => ({
  good: false,
  message: `${reasonOf(page, pathShown(page.url))}${mayBeNoPage && !page.textCut && kindOf(page) !== "refused" ? " If it is not meant to be read, leave it out of the build or the sitemap." : ""}`,
  proof: page.answer
})

const reasonOf = (page: Page, path: string): string => {
  if (page.challenge !== null) return `${path} answers with a bot challenge.`
  if (page.loginWall) return `${path} asks for a login.`
  if (page.saysNotFound) return `${path} says that it does not exist.`
  if (page.substance === "placeholder") return `${path} shows only a placeholder until scripts run.`
  return `${path} has ${page.main.characters === 0 ? "no main content" : `only ${counted(page.main.characters, "character")} of main content`} in the HTML.`
}

const lostPage = (visit: Visit): Finding => ({
  good: false,
  message: `${pathShown(visit.candidate.url)}, linked from ${enumerated(visit.candidate.sources.map(sourceShown))}, ${isGone(visit) ? "is a route that only scripts know" : "could not be fetched"}.`,
  proof: visit.exchange
})

const sourceShown = (source: CandidateSource): string =>
  ({
    base: "the audit",
    "llms.txt": "llms.txt",
    sitemap: "the sitemap",
    "base page": "the audited page",
    crawl: "another page",
    configuration: "docgauge.yaml"
  })[source]
