import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { api } from "../../api/Api.ts"
import type { BrowseSearch, CorpusStatsBody, TopSites } from "../../api/Corpus.ts"
import { corpusSummary, siteSummary } from "../../dashboards/CorpusSummary.ts"
import { CachedResponse } from "../../response/CachedResponse.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { isolatedGroup } from "./IsolatedGroup.ts"
import { orUnavailable } from "../errors/Unavailability.ts"

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
