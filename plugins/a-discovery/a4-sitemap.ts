import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count, ratio, share } from "../../engine/criterion/Fact.ts"
import { counted, grouped, pathShown, percent } from "../../engine/criterion/Wording.ts"
import { pageKey } from "../../engine/evidence/Address.ts"
import { isUnobtainable } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/site/Page.ts"
import { judgeAddress } from "../../engine/site/PageAddress.ts"
import type { Sample, Visit } from "../../engine/site/Sample.ts"
import type { SitemapEntry, SitemapFile, Sitemaps } from "../../engine/site/Sitemap.ts"
import type { Site } from "../../engine/site/Site.ts"
import { errorClause, type Spot, spotCheck } from "../../engine/site/SpotCheck.ts"

/** A4: the sitemap lists the pages that there are, and says when they changed. */
export const a4Sitemap = define({
  id: "a4-sitemap",
  revision: 1,
  params: Schema.Struct({
    /** How many locations are looked at, at most. */
    sample: Schema.Int,
    /** How many of those are fetched for it, at most, beside what the audit fetches anyway. */
    fetches: Schema.Int
  }),
  facts: {
    locations: count("locations on the base's host, over all sitemaps read, each once"),
    sampled: count("locations that were fetched and judged"),
    resolving: share("of the sampled, those that answer on the base's host without an error page"),
    dated: share("of all locations, those with a valid lastmod"),
    found_elsewhere: count("pages of the sample that were found by another way than the sitemap; the base always counts"),
    covered: share("of those, pages that the sitemap lists")
  },
  measure: Effect.fn("a4-sitemap")(function*(site, { fetches, sample: size }) {
    const sitemaps = yield* site.sitemaps
    const { entries } = sitemaps
    const sample = yield* site.sample
    const elsewhere = foundElsewhere(sample)
    const uncovered = missedBy(entries, elsewhere)
    if (entries.length === 0) return yield* nothingFound(site, sitemaps, elsewhere.length)
    const fetched = sample.visits.map(({ exchange }) => exchange)
    const spots = yield* spotCheck(site, entries.map(({ url }) => url).sort(), { size, fetches, fetched })
    const judged = spots.filter(({ outcome }) => outcome !== "unobtainable")
    const stray = judged.filter((spot) => !resolvesOn(site, spot))
    const facts = {
      locations: entries.length,
      sampled: judged.length,
      resolving: ratio(judged.length - stray.length, judged.length),
      dated: ratio(entries.filter(({ lastmod }) => lastmod !== null).length, entries.length),
      found_elsewhere: elsewhere.length,
      covered: ratio(elsewhere.length - uncovered.length, elsewhere.length)
    }
    const file = sitemaps.files[entries[0]?.file ?? 0]
    const proof = file?.exchange ?? site.base.exchange
    const summary = `${pathShown(file?.url ?? "")} ${filesMore(sitemaps)}lists ${counted(entries.length, "location")} on this host, ${percent(facts.dated)} with a date; `
      + `${grouped(judged.length - stray.length)} of ${grouped(judged.length)} sampled ones resolve; of ${counted(elsewhere.length, "page")} found otherwise, ${percent(facts.covered)} are listed.`
    return {
      facts,
      findings: [
        { good: true, message: summary, proof },
        ...stray.slice(0, 2).map((spot): Finding => ({ good: false, message: `${pathShown(spot.url)}, listed in the sitemap, ${strayClause(spot)}.`, proof: spot.exchange })),
        ...entries.filter(({ url }) => judgeAddress(url) === "error_page").slice(0, 1).map(({ url }): Finding =>
          ({ good: false, message: `${pathShown(url)}, listed in the sitemap, is an error page by its name.`, proof })),
        ...uncovered.slice(0, 2).map((page): Finding => ({ good: false, message: `${pathShown(page.url)} is not in the sitemap.`, proof: page.answer }))
      ]
    }
  })
})

const resolvesOn = (site: Site, { exchange, outcome }: Spot): boolean =>
  outcome === "resolves" && new URL(exchange.url).host === new URL(site.base.url).host

const strayClause = (spot: Spot): string =>
  spot.outcome === "error" ? errorClause(spot) : `leads to another host, ${new URL(spot.exchange.url).host}`

type VisitedPage = Visit & { readonly page: Page }

const isPage = (visit: Visit): visit is VisitedPage => visit.page !== null

/** Pages that llms.txt, a link or the audit itself named, the audited page first. */
const foundElsewhere = ({ visits }: Sample): ReadonlyArray<VisitedPage> =>
  visits.filter(isPage).filter(({ candidate }) => candidate.sources.some((source) => source !== "sitemap"))

/** A page is listed under the address that was picked, the one that answered, or its canonical. */
const missedBy = (entries: ReadonlyArray<SitemapEntry>, visits: ReadonlyArray<VisitedPage>): ReadonlyArray<Page> => {
  const listed = new Set(entries.map(({ url }) => pageKey(url)))
  return visits
    .filter(({ candidate, page }) =>
      ![candidate.url, page.url, page.canonical].some((url) => url !== null && listed.has(pageKey(url))))
    .map(({ page }) => page)
}

const filesMore = ({ files }: Sitemaps): string => {
  const more = files.filter(({ verdict }) => verdict === "urlset" || verdict === "index" || verdict === "text").length - 1
  return more > 0 ? `(with ${counted(more, "more file")}) ` : ""
}

/** What was named but could not be had may be the sitemap; well-known addresses after the first are only guesses. */
const isMissed = ({ exchange, source }: SitemapFile, index: number): boolean =>
  isUnobtainable(exchange) && (index === 0 || source !== "well_known")

const nothingFound = Effect.fnUntraced(function*(site: Site, { dirt, files }: Sitemaps, foundElsewhere: number) {
  const missed = files.find(isMissed)
  if (missed !== undefined) {
    return yield* new Unobtainable({ message: `The sitemap ${pathShown(missed.url)} could not be had.`, exchange: missed.exchange })
  }
  const there = files.find(({ verdict }) => verdict !== "absent" && verdict !== "unobtainable")
  const finding: Finding = there === undefined
    ? { good: false, message: `There is no sitemap at ${files.map(({ url }) => pathShown(url)).join(", ")}.`, proof: files[0]?.exchange ?? site.base.exchange }
    : {
      good: false,
      message: `${pathShown(there.url)} lists no location on this host${dirt.otherHost > 0 ? `, but ${grouped(dirt.otherHost)} on others` : ""}.`,
      proof: there.exchange
    }
  return {
    facts: { locations: 0, sampled: 0, resolving: 0, dated: 0, found_elsewhere: foundElsewhere, covered: 0 },
    findings: [finding] as const
  }
})
