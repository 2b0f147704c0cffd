import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { Limits } from "../../../engine/limit/Limits.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import type { Bucket } from "../../api/DashboardBody.ts"
import type { Forbidden, NotFound } from "../../api/Errors.ts"
import { Clients } from "../../http/request/Clients.ts"
import { Dashboards } from "../../dashboards/Dashboards.ts"
import { queryOf, wordOf } from "../kit/PageQuery.ts"
import { BUCKETS, dashboardPage, dashboardPath, warmingPage } from "./DashboardPage.ts"
import { makeRecentPages, type RecentPage } from "../browse/RecentPages.ts"
import { html } from "../kit/Html.ts"
import { CachedResponse } from "../../response/CachedResponse.ts"
import { digestOf } from "../../response/EntityTag.ts"
import { dashboardListPage } from "./DashboardList.ts"
import { ResponseCache } from "../../response/ResponseCache.ts"
import { noticeResponse } from "../kit/NoticePage.ts"
import { addresses } from "../../config/Settings.ts"
import { finishedPage, pageAnswer } from "../kit/PageAnswer.ts"
import { rateLimitedPage } from "../kit/RateLimitedPage.ts"

/** Computing the figures takes a moment; the page reloads itself, with its query. */
const WARMING = { "retry-after": "2", refresh: "2" }

/** GET /dashboard, the list of the public ones, and /dashboard/{slug}. */
export const dashboardRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const dashboards = yield* Dashboards
    const responses = yield* ResponseCache
    const { base } = yield* addresses
    const limits = yield* Limits
    const limited = rateLimitedPage(yield* Clients, limits.poll)
    const recent = makeRecentPages(responses)

    const show = Effect.fnUntraced(
      function* (
        request: HttpServerRequest,
        slug: string,
        bucket: Bucket
      ): Effect.fn.Return<RecentPage, NotFound | Forbidden | StoreUnavailable> {
        const dashboard = yield* dashboards.read(slug, bucket)
        if (dashboard === null)
          return yield* pageAnswer(request, warmingPage(slug), {
            status: 202,
            cacheControl: "no-store",
            headers: WARMING
          })
        return yield* responses.get(
          `dashboard ${bucket} ${dashboard.generated_at} ${slug}`,
          CachedResponse,
          Effect.sync(() => finishedPage(dashboardPage(dashboard)))
        )
      },
      Effect.catchTags({ NotFound: () => Effect.succeed(unknown), Forbidden: () => Effect.succeed(closed) })
    )

    const list = Effect.flatMap(dashboards.list, (all) =>
      responses.get(
        `dashboards ${digestOf(JSON.stringify(all))}`,
        CachedResponse,
        Effect.sync(() => finishedPage(dashboardListPage(base, all)))
      )
    )

    yield* router.add(
      "GET",
      "/dashboard",
      Effect.flatMap(HttpServerRequest, (request) => limited(request, recent(request, list)))
    )

    yield* router.add(
      "GET",
      "/dashboard/:slug",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { slug = "" } = yield* HttpRouter.params
        const bucket = wordOf(queryOf(request), "bucket", BUCKETS)
        return bucket === null
          ? noSuchSpan(slug)
          : yield* limited(request, recent(request, show(request, slug, bucket)))
      })
    )
  })
)

const unknown: HttpServerResponse = noticeResponse(404, {
  title: "Dashboard not found",
  text: "Check the URL. The dashboard may also have been removed."
})

const closed: HttpServerResponse = noticeResponse(403, {
  title: "This dashboard is not public",
  text: "The operator of this service has not made it public."
})

const noSuchSpan = (slug: string): HttpServerResponse =>
  noticeResponse(400, {
    title: "Unknown time range",
    text: "A dashboard shows the last 30 days, 90 days or 12 months.",
    more: html`<p><a href=${dashboardPath(slug)}>90 days</a></p>`
  })
