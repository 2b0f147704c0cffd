import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { Limits } from "../../engine/limit/Limits.ts"
import type { StoreUnavailable } from "../../engine/store/RunStore.ts"
import type { Bucket } from "../api/Dashboards.ts"
import type { Forbidden, NotFound } from "../api/Errors.ts"
import { Clients } from "../http/Clients.ts"
import { Dashboards } from "../http/Dashboards.ts"
import { queryOf, wordOf } from "./browse/PageQuery.ts"
import { BUCKETS, dashboardPage, dashboardPath, warmingPage } from "./dashboard/DashboardPage.ts"
import { makeRecentPages, type Seen } from "./browse/RecentPages.ts"
import { html } from "./kit/Html.ts"
import { KeptPages } from "./kit/KeptPages.ts"
import { noticeAnswer } from "./kit/NoticePage.ts"
import { finishedPage, pageAnswer } from "./kit/PageAnswer.ts"
import { makePageRation } from "./kit/PageRation.ts"

/** Putting figures together takes moments; the address is kept, with its span. */
const WARMING = { "retry-after": "2", refresh: "2" }

/** GET /dashboard/{slug}. */
export const dashboardRoutes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const dashboards = yield* Dashboards
    const kept = yield* KeptPages
    const limits = yield* Limits
    const ration = makePageRation(yield* Clients, limits.poll)
    const recent = makeRecentPages()

    const show = Effect.fnUntraced(function*(request: HttpServerRequest, slug: string, bucket: Bucket): Effect.fn.Return<Seen, NotFound | Forbidden | StoreUnavailable> {
      const dashboard = yield* dashboards.read(slug, bucket)
      if (dashboard === null) return yield* pageAnswer(request, warmingPage(slug), { status: 202, cacheControl: "no-store", headers: WARMING })
      return yield* kept.through(
        `dashboard ${bucket} ${dashboard.generated_at} ${slug}`,
        Effect.sync(() => finishedPage(dashboardPage(dashboard)))
      )
    }, Effect.catchTags({ NotFound: () => Effect.succeed(unknown), Forbidden: () => Effect.succeed(closed) }))

    yield* router.add("GET", "/dashboard/:slug", Effect.gen(function*() {
      const request = yield* HttpServerRequest
      const { slug = "" } = yield* HttpRouter.params
      const bucket = wordOf(queryOf(request), "bucket", BUCKETS)
      return bucket === null ? noSuchSpan(slug) : yield* ration(request, recent(request, show(request, slug, bucket)))
    }))
  }))

const unknown: HttpServerResponse = noticeAnswer(404, { title: "There is no such dashboard", text: "Its address may have been mistyped, or it has been taken down." })

const closed: HttpServerResponse = noticeAnswer(403, { title: "This dashboard is not public", text: "Whoever runs this service has not opened it to everyone." })

const noSuchSpan = (slug: string): HttpServerResponse =>
  noticeAnswer(400, {
    title: "There is no such span",
    text: "A dashboard looks back over 30 days, 90 days or 12 months.",
    more: html`<p><a href=${dashboardPath(slug)}>90 days</a></p>`
  })
