import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { counted } from "../../../engine/plugin/Wording.ts"
import { siteNamed } from "../../../engine/evidence/Address.ts"
import { Limits } from "../../../engine/limit/Limits.ts"
import { limitSettings } from "../../../engine/limit/LimitSettings.ts"
import { Corpus, type SiteSummary, TOP_ORDERS, TOP_WINDOWS } from "../../../engine/store/corpus/Corpus.ts"
import { formatInstant, parseInstant } from "../../../engine/store/database/ColumnValues.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { ScheduleStore } from "../../../engine/store/operators/ScheduleStore.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { adoptionBy } from "../../audits/Adoption.ts"
import { ReleasedRubrics, RubricInForce } from "../../config/RubricInForce.ts"
import { addresses } from "../../config/Settings.ts"
import { Clients } from "../../http/request/Clients.ts"
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { digestOf } from "../../response/EncodedBody.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { noticeResponse, rateLimitedPage } from "../kit/NoticePage.ts"
import { finishedPage } from "../kit/PageAnswer.ts"
import { pathWith, queryOf, sitePath, wordOf } from "../kit/PageQuery.ts"
import { browseShell, LONGEST_TITLE, makeRecentPages, type RecentPage, searchForm } from "./BrowseShell.ts"
import { overviewPage } from "./OverviewPage.ts"
import { readSiteHistory } from "./SiteHistory.ts"
import { sitePage } from "./SitePage.ts"
import { FEW_SITES, siteTable } from "./SiteTable.ts"
import { statsPage } from "./StatsPage.ts"
import { levelsOf, type ScoreLevel, TOP_SITES, topPage } from "./TopPage.ts"

/** Reads of the store at once for one page: a remote database answers them sooner than one by one, and its pool is not used up. */
const READS = 3

/** Maximum length of a search, as in the JSON endpoint. */
const LONGEST_SEARCH = 2_048

/** Maximum length of a URL, as of `base_url`: no site of the corpus has a longer one. */
const LONGEST_SITE = 2_048

/** Maximum number of results; the newest come first. */
const SEARCH_HITS = 20

/**
 * Searches for sites whose URL contains a text. A script shows results while the text is typed: it asks for this page again, and
 * takes the status and the hits from it.
 */
const searchPage = (base: string, text: string, hits: ReadonlyArray<SiteSummary>): VNode =>
  browseShell({
    base,
    title: text === "" ? "Search audited sites" : plainText(`Search: ${text}`, LONGEST_TITLE),
    heading: "Search audited sites",
    description: "Find audited documentation sites by part of their URL.",
    path: "/browse/search",
    robots: text === "" ? "index" : "noindex",
    scripts: ["search.js"],
    json: pathWith("/api/public/browse/search", text === "" ? {} : { q: text }),
    content: html`
      ${searchForm({ value: plainText(text, 2_048) })}
      <p class="search-status" role="status" data-search-status>${statusOf(text, hits)}</p>
      <div data-search-hits>${found(text, hits)}</div>`
  })

const found = (text: string, hits: ReadonlyArray<SiteSummary>): Content => {
  if (hits.length > 0)
    return siteTable({ caption: "Sites, most recently audited first", sites: hits, shown: "averageScore" })
  return text === "" ? null : html`<p><a href="/">Audit a site</a> that is not listed yet.</p>`
}

/** The number of results in words. */
const statusOf = (text: string, hits: ReadonlyArray<SiteSummary>): string => {
  if (text === "") return "Type part of a URL, such as a host or a path."
  if (hits.length === 0) return `No audited site has “${plainText(text, 60)}” in its URL.`
  return hits.length === SEARCH_HITS
    ? `The ${SEARCH_HITS} most recently audited matches; type more to narrow the search.`
    : `${counted(hits.length, "site")}.`
}

const routes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const [corpus, history] = [yield* Corpus, yield* RunHistory]
    const responses = yield* ResponseCache
    const limits = yield* Limits
    const limited = rateLimitedPage(yield* Clients, limits.browse)
    const recent = makeRecentPages(responses)
    const schedules = yield* ScheduleStore
    const { digest, rubric } = yield* RubricInForce
    const { releases } = yield* ReleasedRubrics
    const levels = levelsOf(rubric)
    const { siteQuota, targetWindowMs } = yield* limitSettings
    const { base } = yield* addresses

    const adoption = Effect.map(corpus.adoption, (counts) => adoptionBy(rubric, counts))

    const versions = Effect.map(
      releases,
      (all) => new Map([...all.map((each) => [each.digest, each.rubric.version] as const), [digest, rubric.version]])
    )

    /** Renders a page once for the same figures. */
    const drawn = <Figures>(
      path: string,
      figures: Figures,
      page: (figures: Figures) => VNode
    ): Effect.Effect<CachedResponse> =>
      responses.get(
        `${path} ${digestOf(JSON.stringify(figures))}`,
        CachedResponse,
        Effect.sync(() => finishedPage(page(figures)))
      )

    const get = (path: `/${string}`, see: (query: URLSearchParams) => Effect.Effect<RecentPage, StoreUnavailable>) =>
      router.add(
        "GET",
        path,
        Effect.flatMap(HttpServerRequest, (request) =>
          limited(
            request,
            recent(
              request,
              Effect.suspend(() => see(queryOf(request)))
            )
          )
        )
      )

    const bestSites = Effect.gen(function* () {
      const lately = yield* corpus.top("30d", "best", FEW_SITES)
      return lately.length > 0
        ? { window: "30d" as const, sites: lately }
        : { window: "all" as const, sites: yield* corpus.top("all", "best", FEW_SITES) }
    })

    const latestRuns = Effect.gen(function* () {
      const runs = yield* Effect.forEach(yield* corpus.recent(FEW_SITES), ({ site }) => history.newest(site))
      return runs.filter((run) => run !== null)
    })

    /** Redirects a URL to its site, if the site is stored under another name. */
    const elsewhere = Effect.fnUntraced(function* (address: string) {
      const site = siteNamed(address) ?? address
      const { runs } = site === address ? { runs: [] } : yield* history.page(site, null, 1)
      return runs.length === 0
        ? unknownSite(address)
        : HttpServerResponse.empty({ status: 303, headers: { location: sitePath(site), "cache-control": "no-store" } })
    })

    yield* get(
      "/browse",
      Effect.fnUntraced(function* () {
        const overview = yield* Effect.all(
          {
            summary: corpus.summary,
            stats: corpus.statistics,
            best: bestSites,
            latest: latestRuns,
            adoption
          },
          { concurrency: READS }
        )
        return yield* drawn("/browse", overview, (figures) => overviewPage(base, figures))
      })
    )

    yield* get(
      "/browse/top",
      Effect.fnUntraced(function* (query) {
        const [window, order] = [wordOf(query, "window", TOP_WINDOWS), wordOf(query, "order", TOP_ORDERS)]
        const level = levelNamed(levels, query.get("level") ?? "")
        if (window === null || order === null || level === undefined) return noSuchView
        const view = { window, order, level, limit: limitOf(query.get("limit")) }
        const sites = yield* corpus.top(window, order, view.limit, level?.range)
        return yield* drawn("/browse/top", { view, sites }, () => topPage(base, view, levels, sites))
      })
    )

    yield* get(
      "/browse/search",
      Effect.fnUntraced(function* (query) {
        const text = (query.get("q") ?? "").slice(0, LONGEST_SEARCH)
        const hits = text === "" ? [] : yield* corpus.search(text, SEARCH_HITS)
        return yield* drawn("/browse/search", { text, hits }, () => searchPage(base, text, hits))
      })
    )

    yield* get(
      "/browse/stats",
      Effect.fnUntraced(function* () {
        return yield* drawn(
          "/browse/stats",
          { stats: yield* corpus.statistics, adoption: yield* adoption },
          (figures) => statsPage(base, figures)
        )
      })
    )

    yield* get(
      "/browse/site",
      Effect.fnUntraced(function* (query) {
        const site = query.get("site") ?? ""
        if (site.length > LONGEST_SITE) return overlongSite
        const before = momentOf(query.get("before"))
        if (before === undefined) return noSuchView
        const runs = site === "" ? null : yield* readSiteHistory(history, yield* versions, site, before)
        if (runs === null) return yield* elsewhere(site)
        const schedule = runs.newest === null ? null : yield* schedules.findUrl(runs.newest.url)
        const next = { scheduledAt: schedule?.nextAt ?? null, siteQuota, targetWindowMs }
        return yield* drawn("/browse/site", { history: runs, next, base }, (view) => sitePage(view, rubric))
      })
    )
  })
)

/** GET /browse and its subpages. */
export const browseRoutes = routes.pipe(Layer.provide(ReleasedRubrics.layerOf()))

const noSuchView = noticeResponse(400, {
  title: "Page not found",
  text: "The URL has a parameter with an unknown value.",
  more: html`<p><a href="/browse">Browse audited sites</a></p>`
})

const overlongSite = noticeResponse(400, {
  title: "This URL is too long",
  text: "The URL of a site has at most 2,048 characters.",
  more: html`<p><a href="/browse">Browse audited sites</a></p>`
})

const unknownSite = (site: string): HttpServerResponse.HttpServerResponse =>
  noticeResponse(404, {
    title: "No audit of this site",
    text: "It has not been audited here yet, or its URL is spelled differently.",
    more:
      site === ""
        ? null
        : html`<p><a href=${pathWith("/browse/search", { q: site.slice(0, LONGEST_SEARCH) })}>Search for it</a></p>`
  })

/** The level of this name; `null` if none is asked for, `undefined` if there is no such level. */
const levelNamed = (levels: ReadonlyArray<ScoreLevel>, name: string): ScoreLevel | null | undefined =>
  name === "" ? null : levels.find(({ slug }) => slug === name)

/** Clamped, as in the JSON endpoint. */
const limitOf = (text: string | null): number => {
  const value = text === null || text.trim() === "" ? Number.NaN : Number(text)
  return Number.isNaN(value) ? TOP_SITES : Math.min(50, Math.max(1, Math.trunc(value)))
}

/** A timestamp for the store; `null` if none is given, `undefined` if it is invalid. */
const momentOf = (text: string | null): string | null | undefined => {
  if (text === null || text === "") return null
  const micros = parseInstant(text)
  return micros === null ? undefined : formatInstant(micros)
}
