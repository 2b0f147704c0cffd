import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { api } from "../../api/Api.ts"
import type { BrowseSearch, CorpusStatsBody, TopSites } from "../../api/Corpus.ts"
import { Dashboards } from "../../dashboards/Dashboards.ts"
import { corpusSummary, siteSummary } from "../../dashboards/Widgets.ts"
import { CachedResponse } from "../../response/ResponseCache.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { orUnavailable } from "../errors/Unavailability.ts"
import { isolatedGroup } from "./IsolatedGroup.ts"

const TOP_SITES = 10
const SEARCH_HITS = 20

/** GET /api/public/browse/*. */
export const browseHandlers = isolatedGroup(
  Effect.gen(function* () {
    const corpus = yield* Corpus

    const tagged = <Body, E, R>(request: HttpServerRequest, body: Effect.Effect<Body, E, R>) =>
      Effect.flatMap(orUnavailable(body), (value) =>
        new CachedResponse(JSON.stringify(value), { type: JSON_TYPE }).to(request)
      )

    return HttpApiBuilder.group(api, "browse", (handlers) =>
      handlers.handleAll({
        browseSummary: ({ request }) => tagged(request, Effect.map(corpus.summary, corpusSummary)),
        browseTop: ({ query: { limit = TOP_SITES, order = "best", window = "7d" }, request }) =>
          tagged(
            request,
            Effect.map(corpus.top(window, order, limit), (sites): TopSites => ({
              window,
              order,
              sites: sites.map(siteSummary)
            }))
          ),
        browseStats: ({ request }) =>
          tagged(
            request,
            Effect.map(Effect.all([corpus.statistics, corpus.adoption]), ([stats, adoption]): CorpusStatsBody => ({
              ...stats,
              criteria: adoption.map(({ id, sites }) => ({ id, ...sites }))
            }))
          ),
        browseSearch: ({ query: { limit = SEARCH_HITS, q = "" }, request }) =>
          tagged(
            request,
            Effect.map(q === "" ? Effect.succeed([]) : corpus.search(q, limit), (sites): BrowseSearch => ({
              query: q,
              hits: sites.map(siteSummary)
            }))
          )
      })
    )
  })
)

/** Seconds until a client should retry: computing the figures takes a moment. */
const WARMING_SECONDS = "2"

const warming = HttpApiSchema.withHeaders({
  body: { status: "warming" as const },
  headers: { "retry-after": WARMING_SECONDS }
})

/** GET /api/public/dashboard. */
export const dashboardHandlers = isolatedGroup(
  Effect.gen(function* () {
    const dashboards = yield* Dashboards
    return HttpApiBuilder.group(api, "dashboards", (handlers) =>
      handlers.handleAll({
        getDashboard: ({ query: { bucket = "90d", slug } }) =>
          Effect.map(orUnavailable(dashboards.read(slug, bucket)), (dashboard) => dashboard ?? warming)
      })
    )
  })
)
