import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { RunStore, type SiteSummary as StoredSite } from "../../engine/store/RunStore.ts"
import { api } from "../api/Api.ts"
import type { BrowseSearch, CorpusStats, CorpusSummary, SiteSummary, TopSites } from "../api/Corpus.ts"
import { JSON_TYPE, taggedAnswer, taggedContent } from "./Answers.ts"
import { lightGroup } from "./LightGroup.ts"
import { orUnavailable } from "./Unavailability.ts"

const TOP_SITES = 10
const SEARCH_HITS = 20

/** GET /api/public/browse/*. */
export const browseHandlers = lightGroup(Effect.gen(function*() {
  const store = yield* RunStore

  const tagged = <Body, E, R>(request: HttpServerRequest, body: Effect.Effect<Body, E, R>) =>
    Effect.flatMap(orUnavailable(body), (value) => taggedAnswer(request, taggedContent(JSON.stringify(value), JSON_TYPE)))

  return HttpApiBuilder.group(api, "browse", (handlers) => handlers.handleAll({
    browseSummary: ({ request }) => tagged(request, Effect.map(store.summary, summaryOf)),
    browseTop: ({ query: { limit = TOP_SITES, order = "best", window = "7d" }, request }) =>
      tagged(request, Effect.map(store.top(window, order, limit), (sites): TopSites => ({ window, order, sites: sites.map(siteOf) }))),
    browseStats: ({ request }) => tagged(request, Effect.map(store.stats, (stats): CorpusStats => stats)),
    browseSearch: ({ query: { limit = SEARCH_HITS, q = "" }, request }) =>
      tagged(request, Effect.map(
        q === "" ? Effect.succeed([]) : store.search(q, limit),
        (sites): BrowseSearch => ({ query: q, hits: sites.map(siteOf) })
      ))
  }))
}))

export const summaryOf = ({ averageScore, latestRunAt, runs, sites }: StoredSummary): CorpusSummary =>
  ({ sites, runs, avg_score: averageScore, latest_run_at: latestRunAt })

type StoredSummary = Effect.Success<RunStore["Service"]["summary"]>

export const siteOf = (stored: StoredSite): SiteSummary => ({
  base_url: stored.site,
  canonical_url: stored.url,
  run_count: stored.runCount,
  latest_run_at: stored.latestRunAt,
  first_run_at: stored.firstRunAt,
  best_score: stored.bestScore,
  worst_score: stored.worstScore,
  avg_score: stored.averageScore
})
