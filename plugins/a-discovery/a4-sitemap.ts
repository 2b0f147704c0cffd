import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { between, count, ratio, share, shareBetween } from "../../engine/plugin/Fact.ts"
import { knownSample } from "../../engine/plugin/SampledPages.ts"
import { counted, either, grouped, pathShown, someOf } from "../../engine/plugin/Wording.ts"
import { pageKey } from "../../engine/evidence/Address.ts"
import { cutShort, type Exchange, isAnswer, isMissing } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/page/Page.ts"
import { judgeAddress } from "../../engine/site/address/PageUrl.ts"
import { asServed, type Candidate } from "../../engine/site/sample/SampleChoice.ts"
import type { Sample, Visit } from "../../engine/site/sample/Sample.ts"
import { isSitemap, type SitemapEntry, type SitemapFile, type Sitemaps } from "../../engine/site/wellknown/Sitemap.ts"
import type { Site } from "../../engine/site/Site.ts"
import { sitemapLocations } from "../../engine/site/SiteSource.ts"
import { errorClause, type Spot, spotCheck } from "../../engine/site/sample/SpotCheck.ts"

/** A4: the sitemap lists the pages of the site, with the date of their last change. */
export const a4Sitemap = define({
  id: "a4-sitemap",
  revision: 3,
  // As many locations as the rubric lets it fetch (`fetches`, 3).
  budget: { requests: 3, megabytes: 1 },
  params: Schema.Struct({
    /** Maximum number of locations to check. */
    sample: Schema.Int,
    /** Maximum number of them to fetch for this check; locations that the audit fetched already cost nothing. */
    fetches: Schema.Int
  }),
  facts: {
    locations: count("different locations on the audited host, over all sitemaps read"),
    sampled: count("locations that were checked"),
    resolving: share("of the checked locations, those that return a page on the audited host, not an error page"),
    dated: share("of all locations, those with a valid lastmod"),
    relative: count("locations that are relative URLs, which the protocol does not allow"),
    found_elsewhere: count(
      "sampled pages that were found in another way than the sitemap; the audited page always counts"
    ),
    covered: share("of those, pages that the sitemap lists")
  },
  measure: Effect.fn("a4-sitemap")(function* (site, { fetches, sample: size }) {
    const sitemaps = yield* site.sitemaps
    const { entries } = sitemaps
    const [lacking] = sitemaps.missing
    if (lacking !== undefined) {
      return yield* new Unobtainable({
        message: `We could not read ${pathShown(lacking.asked.url)}, which may be a sitemap or name one.`,
        exchange: lacking
      })
    }
    const sample = yield* knownSample(site)
    const elsewhere = foundElsewhere(sample)
    const uncovered = missedBy(entries, elsewhere)
    if (entries.length === 0) return yield* nothingFound(site, sitemaps, elsewhere.length)
    const fetched = sample.visits.map(({ exchange }) => exchange)
    const spots = yield* spotCheck(site, entries.map(({ url }) => asServed(site.base, url)).sort(), {
      size,
      fetches,
      fetched
    })
    const judged = spots.filter(({ outcome }) => outcome !== "unobtainable")
    const missing = spots.map(({ exchange }) => exchange).filter(isMissing)
    const lost = sample.visits.filter(({ candidate, exchange }) => isMissing(exchange) && isElsewhere(candidate))
    const stray = judged.filter((spot) => !resolvesOn(site, spot))
    const facts = {
      locations: entries.length,
      sampled: judged.length,
      resolving: ratio(judged.length - stray.length, judged.length),
      dated: ratio(entries.filter(({ lastmod }) => lastmod !== null).length, entries.length),
      relative: sitemaps.dirt.relative,
      found_elsewhere: elsewhere.length,
      covered: ratio(elsewhere.length - uncovered.length, elsewhere.length)
    }
    const unread = unreadPart(sitemaps)
    const file = sitemaps.files[entries[0]?.file ?? 0]
    const proof = file?.exchange ?? site.base.exchange
    const resolving =
      judged.length === 0
        ? "We could not check any of them."
        : `${someOf(judged.length - stray.length, judged.length, ["checked location", "checked locations"], ["returns", "return"])} a page.`
    const summary = `${fileShown(site, file?.url ?? "")} ${filesMore(sitemaps)}lists ${counted(entries.length, "location")} on this host, ${datedShown(entries)}. ${resolving}${coverageShown(elsewhere.length - uncovered.length, elsewhere.length)}`
    return {
      facts,
      uncertain: {
        ...(unread.length === 0 ? {} : { locations: between(facts.locations, null), dated: between(0, 1) }),
        sampled: between(judged.length, judged.length + missing.length),
        resolving: shareBetween(judged.length - stray.length, judged.length, missing.length),
        found_elsewhere: between(elsewhere.length, elsewhere.length + lost.length),
        covered:
          unread.length === 0
            ? shareBetween(elsewhere.length - uncovered.length, elsewhere.length, lost.length)
            : between(ratio(elsewhere.length - uncovered.length, elsewhere.length + lost.length), 1)
      },
      unanswered: [...missing, ...lost.map(({ exchange }) => exchange), ...unread],
      findings: [
        { good: true, message: summary, proof },
        ...stray.map((spot): Finding => ({
          good: false,
          message: `${pathShown(spot.url)}, listed in the sitemap, ${strayClause(spot)}.`,
          proof: spot.exchange
        })),
        ...(facts.relative === 0
          ? []
          : [
              {
                good: false,
                message: `${counted(facts.relative, "location")} in the sitemap ${facts.relative === 1 ? "is a relative URL" : "are relative URLs"}.`,
                proof
              }
            ]),
        ...entries
          .filter(({ url }) => judgeAddress(url) === "error_page")
          .slice(0, 1)
          .map(({ url }): Finding => ({
            good: false,
            message: `${pathShown(url)}, listed in the sitemap, looks like an error page by its name.`,
            proof
          })),
        // A file that was not read may list them.
        ...(unread.length > 0 ? [] : uncovered).map((page): Finding => ({
          good: false,
          message: `${pathShown(page.url)} is not in the sitemap.`,
          proof: page.answer
        }))
      ]
    }
  })
})

/** Of sitemaps that were read in part: a file that names more than was read, as a response that is missing from there on. */
const unreadPart = ({ files, truncated }: Sitemaps): ReadonlyArray<Exchange> => {
  const there = files.filter(isSitemap)
  const file = there.find(({ verdict }) => verdict === "index") ?? there[0]
  return truncated && file !== undefined && isAnswer(file.exchange) ? [cutShort(file.exchange)] : []
}

const datedShown = (entries: ReadonlyArray<SitemapEntry>): string => {
  const dated = entries.filter(({ lastmod }) => lastmod !== null).length
  if (entries.length === 1) return dated === 1 ? "with a date" : "without a date"
  return `${dated === entries.length ? "all" : dated === 0 ? "none" : grouped(dated)} with a date`
}

/** The audited page always counts as found in another way. */
const coverageShown = (listed: number, found: number): string => {
  if (found === 0) return ""
  if (found === 1)
    return listed === 1
      ? " It lists the only page that we found in other ways."
      : " It does not list the only page that we found in other ways."
  const part =
    listed === found
      ? `all ${grouped(found)}`
      : listed === 0
        ? `none of the ${grouped(found)}`
        : `${grouped(listed)} of the ${grouped(found)}`
  return ` It lists ${part} pages that we found in other ways.`
}

const resolvesOn = (site: Site, { exchange, outcome }: Spot): boolean =>
  outcome === "resolves" && new URL(exchange.url).host === new URL(site.base.url).host

const strayClause = (spot: Spot): string =>
  spot.outcome === "error" ? errorClause(spot) : `redirects to another host, ${new URL(spot.exchange.url).host}`

type VisitedPage = Visit & { readonly page: Page }

const isPage = (visit: Visit): visit is VisitedPage => visit.page !== null

/** Pages that llms.txt, a link or the audit itself named; the audited page comes first. */
const foundElsewhere = ({ visits }: Sample): ReadonlyArray<VisitedPage> =>
  visits.filter(isPage).filter(({ candidate }) => isElsewhere(candidate))

const isElsewhere = ({ sources }: Candidate): boolean => sources.some((source) => source !== "sitemap")

/** A page counts as listed under the URL that was picked or the final URL: its canonical may lead nowhere. */
const missedBy = (entries: ReadonlyArray<SitemapEntry>, visits: ReadonlyArray<VisitedPage>): ReadonlyArray<Page> => {
  const listed = new Set(entries.map(({ url }) => pageKey(url)))
  return visits
    .filter(({ candidate, page }) => ![candidate.url, page.url].some((url) => listed.has(pageKey(url))))
    .map(({ page }) => page)
}

/** By its path, with the host if that is another than the audited one. */
const fileShown = (site: Site, url: string): string => {
  const host = URL.parse(url)?.host ?? ""
  return `${host === new URL(site.base.origin).host ? "" : host.slice(0, 80)}${pathShown(url)}`
}

const filesMore = ({ files }: Sitemaps): string => {
  const more = files.filter(isSitemap).length - 1
  return more > 0 ? `(with ${counted(more, "more file")}) ` : ""
}

/** A named file that could not be fetched may be the sitemap; well-known URLs after the first are only guesses. */
const isMissed = ({ source, verdict }: SitemapFile, index: number): boolean =>
  verdict === "unobtainable" && (index === 0 || source !== "well_known")

/** How many locations are on other hosts, and one of these hosts. */
const elsewhereShown = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<string> {
  const { otherHost } = (yield* site.sitemaps).dirt
  if (otherHost === 0) return ""
  const hosts = (yield* sitemapLocations(site)).flatMap((location) => URL.parse(location)?.host ?? [])
  const host = hosts.find((one) => one !== "" && one !== new URL(site.base.origin).host)
  const named =
    host === undefined ? "other hosts" : `${new Set(hosts).size > 1 ? "other hosts, such as " : ""}${host.slice(0, 80)}`
  return `, but ${grouped(otherHost)} on ${named}`
})

/** How many locations are no URLs. */
const faultyShown = ({ dirt: { badAddresses } }: Sitemaps): string =>
  badAddresses === 0
    ? ""
    : `, and has ${counted(badAddresses, "location")} that ${badAddresses === 1 ? "is" : "are"} no URL`

const nothingFound = Effect.fnUntraced(function* (site: Site, sitemaps: Sitemaps, foundElsewhere: number) {
  const { files } = sitemaps
  const missed = files.find(isMissed)
  if (missed !== undefined) {
    return yield* new Unobtainable({
      message: `We could not fetch the sitemap ${fileShown(site, missed.url)}.`,
      exchange: missed.exchange
    })
  }
  const there = files.find(({ verdict }) => verdict !== "absent" && verdict !== "unobtainable")
  const finding: Finding =
    there === undefined
      ? {
          good: false,
          message: `There is no sitemap at ${either(files.map(({ url }) => fileShown(site, url)))}.`,
          proof: files[0]?.exchange ?? site.base.exchange
        }
      : {
          good: false,
          message: `${fileShown(site, there.url)} lists no location on this host${yield* elsewhereShown(site)}${faultyShown(sitemaps)}.`,
          proof: there.exchange
        }
  return {
    facts: {
      locations: 0,
      sampled: 0,
      resolving: 0,
      dated: 0,
      relative: 0,
      found_elsewhere: foundElsewhere,
      covered: 0
    },
    findings: [finding] as const
  }
})
