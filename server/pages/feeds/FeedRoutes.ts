import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { Limits } from "../../../engine/limit/Limits.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import { runComparison } from "../../audits/RunChanges.ts"
import { ReleasedRubrics } from "../../config/RubricInForce.ts"
import { addresses } from "../../config/Settings.ts"
import { Dashboards } from "../../dashboards/Dashboards.ts"
import { Clients } from "../../http/request/Clients.ts"
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { makeRecentPages, type RecentPage } from "../browse/BrowseShell.ts"
import { noticeResponse, rateLimitedPage } from "../kit/NoticePage.ts"
import { dashboardFeedPath, dashboardPath, queryOf, siteFeedPath, sitePath } from "../kit/PageQuery.ts"
import { atomFeed, feedEntries, momentOf } from "./Feed.ts"

/** Entries of a feed: a site that is audited each day is followed by a reader that comes once in three weeks. */
const ENTRIES = 25

/** Audits of each site of a dashboard: it tells of many sites, of each what is new. */
const OF_EACH_SITE = 3

/** Sites that are read at once. */
const READS = 3

/** GET /browse/site.atom?site=… and /dashboard/{slug}/feed.atom: finished audits, newest first. */
const routes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const [corpus, dashboards, history] = [yield* Corpus, yield* Dashboards, yield* RunHistory]
    const recent = makeRecentPages(yield* ResponseCache)
    const [clients, limits] = [yield* Clients, yield* Limits]
    const { base } = yield* addresses
    const { compares, titles } = yield* runComparison

    /** The newest audits of a site. One more is read, to tell what changed. */
    const entriesOf = Effect.fnUntraced(function* (site: string, most: number) {
      const judged = yield* history.judged(site, most + 1)
      return feedEntries(judged, judged.length > most ? 1 : 0, yield* compares, titles)
    })

    const ofSite = Effect.fnUntraced(function* (site: string): Effect.fn.Return<RecentPage, StoreUnavailable> {
      const entries = yield* entriesOf(site, ENTRIES)
      if (entries.length === 0) return noSuchSite
      const title = `Audits of ${shownName(site).text}`
      return answered(atomFeed({ base, title, path: siteFeedPath(site), page: sitePath(site), entries }))
    })

    const ofDashboard = Effect.fnUntraced(function* (slug: string): Effect.fn.Return<RecentPage, StoreUnavailable> {
      const dashboard = (yield* dashboards.list).find((each) => each.slug === slug)
      if (dashboard === undefined) return noSuchDashboard
      const sites =
        dashboard.sites.length > 0 ? dashboard.sites : (yield* corpus.recent(ENTRIES)).map(({ site }) => site)
      const entries = yield* Effect.forEach(sites, (site) => entriesOf(site, OF_EACH_SITE), { concurrency: READS })
      return answered(
        atomFeed({
          base,
          title: dashboard.title,
          path: dashboardFeedPath(slug),
          page: dashboardPath(slug),
          entries: entries
            .flat()
            .toSorted((one, other) => (momentOf(one.run) < momentOf(other.run) ? 1 : -1))
            .slice(0, ENTRIES)
        })
      )
    })

    yield* router.add(
      "GET",
      "/browse/site.atom",
      Effect.flatMap(HttpServerRequest, (request) => {
        const site = queryOf(request).get("site") ?? ""
        return rateLimitedPage(clients, limits.browse)(request, recent(request, ofSite(site)))
      })
    )

    yield* router.add(
      "GET",
      "/dashboard/:slug/feed.atom",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { slug = "" } = yield* HttpRouter.params
        return yield* rateLimitedPage(clients, limits.poll)(request, recent(request, ofDashboard(slug)))
      })
    )
  })
)

export const feedRoutes = routes.pipe(Layer.provide(ReleasedRubrics.layerOf()))

const answered = (feed: string): CachedResponse =>
  new CachedResponse(feed, {
    type: "application/atom+xml; charset=utf-8",
    status: 200,
    headers: { "cache-control": "no-cache" }
  })

const noSuchSite = noticeResponse(404, {
  title: "No feed of this site",
  text: "No audit of it has finished here, or its name is spelled differently: a feed is linked from the page of its site."
})

const noSuchDashboard = noticeResponse(404, {
  title: "No feed of this dashboard",
  text: "There is no such dashboard, or it is not public."
})
