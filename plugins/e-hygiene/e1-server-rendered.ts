import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count, flag, ratio, share } from "../../engine/criterion/Fact.ts"
import { counted, enumerated, pathShown, someOf } from "../../engine/criterion/Wording.ts"
import { isUnobtainable } from "../../engine/evidence/Exchange.ts"
import { isSubstantive, type Page } from "../../engine/site/Page.ts"
import type { CandidateSource, Visit } from "../../engine/site/Sample.ts"

/** E1: is there text in the HTML as it is sent, before any script runs? */
export const e1ServerRendered = define({
  id: "e1-server-rendered",
  revision: 1,
  params: Schema.Struct({ enough_pages: Schema.Int }),
  facts: {
    pages: count("pages of the sample that were fetched and, where those are fewer than enough_pages, pages that are named and could not be had"),
    substantive: share("of those, pages with substantive text as sent"),
    single_page: flag("the site has one page")
  },
  measure: Effect.fn("e1-server-rendered")(function*(site, params) {
    const { candidates, pages, visits } = yield* site.sample
    const lost = pages.length < params.enough_pages ? visits.filter((visit) => visit.page === null) : []
    if (pages.length === 0 && lost.every(({ exchange }) => isUnobtainable(exchange))) {
      return yield* new Unobtainable({ message: "No page of the site could be had.", exchange: site.base.exchange })
    }
    const total = pages.length + lost.length
    const good = pages.filter(isSubstantive)
    const summary: Finding = {
      good: good.length === total,
      message: total === 1
        ? `The one page holds ${good.length === 1 ? "" : "no "}text in the HTML as it is sent.`
        : `${someOf(good.length, total, "page")} hold text in the HTML as it is sent.`,
      proof: (pages.find((page) => !isSubstantive(page)) ?? pages[0])?.answer ?? site.base.exchange
    }
    return {
      facts: { pages: total, substantive: ratio(good.length, total), single_page: candidates.length <= 1 && visits.length <= 1 },
      findings: [summary, ...pages.filter((page) => !isSubstantive(page)).slice(0, 3).map(emptyPage), ...lost.slice(0, 2).map(lostPage)] as const
    }
  })
})

const emptyPage = (page: Page): Finding => ({ good: false, message: reasonOf(page, pathShown(page.url)), proof: page.answer })

const reasonOf = (page: Page, path: string): string => {
  if (page.challenge !== null) return `A bot challenge stands in place of ${path}.`
  if (page.loginWall) return `A login stands in place of ${path}.`
  if (page.saysNotFound) return `${path} says that it does not exist.`
  if (page.substance === "placeholder") return `${path} holds only a placeholder until scripts run.`
  return `${path} holds ${counted(page.main.characters, "character")} of main content.`
}

const lostPage = ({ candidate, exchange }: Visit): Finding => ({
  good: false,
  message: `${pathShown(candidate.url)}, named by ${enumerated(candidate.sources.map(sourceShown))}, could not be had.`,
  proof: exchange
})

const sourceShown = (source: CandidateSource): string =>
  ({ base: "the audit", "llms.txt": "llms.txt", sitemap: "the sitemap", "base page": "the audited page", crawl: "a page" })[source]
