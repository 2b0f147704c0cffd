import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { Limits } from "../../engine/limit/Limits.ts"
import { formatInstant, parseInstant } from "../../engine/store/Instant.ts"
import { RunStore, type SiteSummary, type StoreUnavailable } from "../../engine/store/RunStore.ts"
import { Clients } from "../http/Clients.ts"
import { digestOf } from "../http/EntityTag.ts"
import { FAR_FUTURE } from "../http/SiteWidgets.ts"
import { overviewPage } from "./browse/OverviewPage.ts"
import { pathWith, queryOf, wordOf } from "./browse/PageQuery.ts"
import { SEARCH_HITS, searchPage } from "./browse/SearchPage.ts"
import { readSiteHistory } from "./browse/SiteHistory.ts"
import { sitePage } from "./browse/SitePage.ts"
import { statsPage } from "./browse/StatsPage.ts"
import { ORDERS, TOP_SITES, topPage, WINDOWS } from "./browse/TopPage.ts"
import { html, type VNode } from "./kit/Html.ts"
import { KeptPages } from "./kit/KeptPages.ts"
import { noticeAnswer } from "./kit/NoticePage.ts"
import { finishedPage } from "./kit/PageAnswer.ts"
import { makePageRation } from "./kit/PageRation.ts"

/** Sites of a list on the overview. */
const FEW = 8

/** Every audited address has it. */
const ANY_ADDRESS = "://"

/** The longest text that the JSON endpoint takes, too. */
const LONGEST_SEARCH = 2_048

/** GET /browse and what lies below it. */
export const browseRoutes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const store = yield* RunStore
    const kept = yield* KeptPages
    const limits = yield* Limits
    const ration = makePageRation(yield* Clients, limits.browse)

    /** A page is drawn once from the same figures. */
    const drawn = <Figures>(request: HttpServerRequest, figures: Figures, page: (figures: Figures) => VNode): Effect.Effect<HttpServerResponse> =>
      Effect.flatMap(
        kept.through(`browse ${request.url.split("?")[0]} ${digestOf(JSON.stringify(figures))}`, Effect.sync(() => finishedPage(page(figures)))),
        (content) => content.to(request)
      )

    const get = (path: `/${string}`, answer: (request: HttpServerRequest) => Effect.Effect<HttpServerResponse, StoreUnavailable>) =>
      router.add("GET", path, Effect.flatMap(HttpServerRequest, (request) => ration(request, answer(request))))

    const bestSites = Effect.gen(function*() {
      for (const window of ["30d", "all"] as const) {
        const sites = yield* store.top(window, "best", FEW)
        if (sites.length > 0 || window === "all") return { window, sites }
      }
      return { window: "all" as const, sites: [] }
    })

    const latestRuns = Effect.gen(function*() {
      const sites: ReadonlyArray<SiteSummary> = yield* store.search(ANY_ADDRESS, FEW)
      const runs = yield* Effect.forEach(sites, ({ site }) => store.previousDone(site, FAR_FUTURE))
      return runs.filter((run) => run !== null)
    })

    yield* get("/browse", Effect.fnUntraced(function*(request) {
      const overview = { summary: yield* store.summary, stats: yield* store.stats, best: yield* bestSites, latest: yield* latestRuns }
      return yield* drawn(request, overview, overviewPage)
    }))

    yield* get("/browse/top", Effect.fnUntraced(function*(request) {
      const query = queryOf(request)
      const [window, order] = [wordOf(query, "window", WINDOWS), wordOf(query, "order", ORDERS)]
      if (window === null || order === null) return noSuchView
      const view = { window, order, limit: limitOf(query.get("limit")) }
      return yield* drawn(request, { view, sites: yield* store.top(window, order, view.limit) }, ({ sites }) => topPage(view, sites))
    }))

    yield* get("/browse/search", Effect.fnUntraced(function*(request) {
      const text = (queryOf(request).get("q") ?? "").slice(0, LONGEST_SEARCH)
      const hits = text === "" ? [] : yield* store.search(text, SEARCH_HITS)
      return yield* drawn(request, { text, hits }, () => searchPage(text, hits))
    }))

    yield* get("/browse/stats", (request) => Effect.flatMap(store.stats, (stats) => drawn(request, stats, statsPage)))

    yield* get("/browse/site", Effect.fnUntraced(function*(request) {
      const query = queryOf(request)
      const site = query.get("site") ?? ""
      const before = momentOf(query.get("before"))
      if (before === undefined) return noSuchView
      const history = site === "" ? null : yield* readSiteHistory(store, site, before)
      return history === null ? unknownSite(site) : yield* drawn(request, history, sitePage)
    }))
  }))

const noSuchView = noticeAnswer(400, {
  title: "There is no such view",
  text: "The address asks for something that this page does not know.",
  more: html`<p><a href="/browse">Browse audited sites</a></p>`
})

const unknownSite = (site: string): HttpServerResponse =>
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
