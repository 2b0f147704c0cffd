import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Limits } from "../../engine/limit/Limits.ts"
import { formatInstant, parseInstant } from "../../engine/store/Instant.ts"
import { RunStore, type SiteSummary, type StoreUnavailable } from "../../engine/store/RunStore.ts"
import { Clients } from "../http/Clients.ts"
import { digestOf } from "../http/EntityTag.ts"
import { FAR_FUTURE } from "../http/SiteWidgets.ts"
import { siteFormOf } from "../http/Targets.ts"
import { overviewPage } from "./browse/OverviewPage.ts"
import { pathWith, queryOf, sitePath, wordOf } from "./browse/PageQuery.ts"
import { makeRecentPages, type Seen } from "./browse/RecentPages.ts"
import { SEARCH_HITS, searchPage } from "./browse/SearchPage.ts"
import { readSiteHistory } from "./browse/SiteHistory.ts"
import { sitePage } from "./browse/SitePage.ts"
import { statsPage } from "./browse/StatsPage.ts"
import { ORDERS, TOP_SITES, topPage, WINDOWS } from "./browse/TopPage.ts"
import { html, type VNode } from "./kit/Html.ts"
import { KeptPages } from "./kit/KeptPages.ts"
import type { LastingContent } from "./kit/LastingContent.ts"
import { noticeAnswer } from "./kit/NoticePage.ts"
import { finishedPage } from "./kit/PageAnswer.ts"
import { makePageRation } from "./kit/PageRation.ts"

/** Sites of a list on the overview. */
const FEW = 8

/** Every audited address has it. */
const ANY_ADDRESS = "://"

/** The longest text that the JSON endpoint takes, too. */
const LONGEST_SEARCH = 2_048

/** No site of the corpus has a longer URL: `base_url` ends there, too. */
const LONGEST_SITE = 2_048

/** GET /browse and what lies below it. */
export const browseRoutes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const store = yield* RunStore
    const kept = yield* KeptPages
    const limits = yield* Limits
    const ration = makePageRation(yield* Clients, limits.browse)
    const recent = makeRecentPages()

    /** A page is drawn once from the same figures. */
    const drawn = <Figures>(path: string, figures: Figures, page: (figures: Figures) => VNode): Effect.Effect<LastingContent> =>
      kept.through(`${path} ${digestOf(JSON.stringify(figures))}`, Effect.sync(() => finishedPage(page(figures))))

    const get = (path: `/${string}`, see: (query: URLSearchParams) => Effect.Effect<Seen, StoreUnavailable>) =>
      router.add("GET", path, Effect.flatMap(HttpServerRequest, (request) => ration(request, recent(request, Effect.suspend(() => see(queryOf(request)))))))

    const bestSites = Effect.gen(function*() {
      const lately = yield* store.top("30d", "best", FEW)
      return lately.length > 0 ? { window: "30d" as const, sites: lately } : { window: "all" as const, sites: yield* store.top("all", "best", FEW) }
    })

    const latestRuns = Effect.gen(function*() {
      const sites: ReadonlyArray<SiteSummary> = yield* store.search(ANY_ADDRESS, FEW)
      const runs = yield* Effect.forEach(sites, ({ site }) => store.previousDone(site, FAR_FUTURE))
      return runs.filter((run) => run !== null)
    })

    /** Leads an address to its site, where that is known by another name. */
    const elsewhere = Effect.fnUntraced(function*(address: string) {
      const site = siteNamed(address)
      const { runs } = site === address ? { runs: [] } : yield* store.history(site, FAR_FUTURE, 1)
      return runs.length === 0 ? unknownSite(address) : HttpServerResponse.empty({ status: 303, headers: { location: sitePath(site), "cache-control": "no-store" } })
    })

    yield* get("/browse", Effect.fnUntraced(function*() {
      const overview = { summary: yield* store.summary, stats: yield* store.stats, best: yield* bestSites, latest: yield* latestRuns }
      return yield* drawn("/browse", overview, overviewPage)
    }))

    yield* get("/browse/top", Effect.fnUntraced(function*(query) {
      const [window, order] = [wordOf(query, "window", WINDOWS), wordOf(query, "order", ORDERS)]
      if (window === null || order === null) return noSuchView
      const view = { window, order, limit: limitOf(query.get("limit")) }
      return yield* drawn("/browse/top", { view, sites: yield* store.top(window, order, view.limit) }, ({ sites }) => topPage(view, sites))
    }))

    yield* get("/browse/search", Effect.fnUntraced(function*(query) {
      const text = (query.get("q") ?? "").slice(0, LONGEST_SEARCH)
      const hits = text === "" ? [] : yield* store.search(text, SEARCH_HITS)
      return yield* drawn("/browse/search", { text, hits }, () => searchPage(text, hits))
    }))

    yield* get("/browse/stats", () => Effect.flatMap(store.stats, (stats) => drawn("/browse/stats", stats, statsPage)))

    yield* get("/browse/site", Effect.fnUntraced(function*(query) {
      const site = query.get("site") ?? ""
      if (site.length > LONGEST_SITE) return overlongSite
      const before = momentOf(query.get("before"))
      if (before === undefined) return noSuchView
      const history = site === "" ? null : yield* readSiteHistory(store, site, before)
      return history === null ? yield* elsewhere(site) : yield* drawn("/browse/site", history, sitePage)
    }))
  }))

const noSuchView = noticeAnswer(400, {
  title: "There is no such view",
  text: "The address asks for something that this page does not know.",
  more: html`<p><a href="/browse">Browse audited sites</a></p>`
})

const overlongSite = noticeAnswer(400, {
  title: "This URL is too long",
  text: "The URL of a site has at most 2,048 characters.",
  more: html`<p><a href="/browse">Browse audited sites</a></p>`
})

/** The name of the site whose address that may be. */
const siteNamed = (address: string): string => {
  const url = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`)
  return url === null ? address : siteFormOf(url.href)
}

const unknownSite = (site: string): HttpServerResponse.HttpServerResponse =>
  noticeAnswer(404, {
    title: "No audit of this site",
    text: "It has not been audited here yet, or its address is written in another way.",
    more: site === "" ? null : html`<p><a href=${pathWith("/browse/search", { q: site.slice(0, LONGEST_SEARCH) })}>Search for it</a></p>`
  })

/** Clamped, as the JSON endpoint does it. */
const limitOf = (text: string | null): number => {
  const value = text === null || text.trim() === "" ? Number.NaN : Number(text)
  return Number.isNaN(value) ? TOP_SITES : Math.min(50, Math.max(1, Math.trunc(value)))
}

/** A moment as the store takes it; `null` where none is given, `undefined` where it is none. */
const momentOf = (text: string | null): string | null | undefined => {
  if (text === null || text === "") return null
  const micros = parseInstant(text)
  return micros === null ? undefined : formatInstant(micros)
}
