import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { BrowseSearch, CorpusStatsBody, CorpusSummaryBody, TopSites } from "./Corpus.ts"
import { BadRequest, storeErrors } from "./Errors.ts"
import { entityTag, ifNoneMatch } from "./Headers.ts"
import { clampedParameter, textParameter, wordParameter } from "./Parameters.ts"

const headers = { "if-none-match": Schema.optionalKey(ifNoneMatch) }

const tagged = <Body extends Schema.Top>(body: Body) => HttpApiSchema.WithHeaders(body, { etag: entityTag })

/** The 304 of a conditional request. */
export const NotModified = HttpApiSchema.WithHeaders(
  HttpApiSchema.Empty(304).annotate({ description: "Not modified: the client's copy is still current. No body." }),
  { etag: entityTag }
)

const browseSummary = HttpApiEndpoint.get("browseSummary", "/api/public/browse/summary", {
  headers,
  success: [tagged(CorpusSummaryBody), NotModified],
  error: [BadRequest, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Sum up the corpus",
    description: "The number of sites and audits, and their scores."
  })
)

const browseTop = HttpApiEndpoint.get("browseTop", "/api/public/browse/top", {
  headers,
  query: {
    window: Schema.optionalKey(wordParameter(["7d", "30d", "all"], "7d", "Only sites audited within this period.")),
    limit: Schema.optionalKey(
      clampedParameter({
        minimum: 1,
        maximum: 50,
        fallback: 10,
        description: "Maximum number of sites. Out-of-range values are clamped."
      })
    ),
    order: Schema.optionalKey(wordParameter(["best", "worst"], "best", "Best or worst scores first."))
  },
  success: [tagged(TopSites), NotModified],
  error: [BadRequest, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "List the best or worst sites",
    description: "Sites by their newest score within the window."
  })
)

const browseStats = HttpApiEndpoint.get("browseStats", "/api/public/browse/stats", {
  headers,
  success: [tagged(CorpusStatsBody), NotModified],
  error: [BadRequest, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Show distributions over the corpus",
    description: "How scores, top-level domains and organisations are distributed over all sites."
  })
)

const browseSearch = HttpApiEndpoint.get("browseSearch", "/api/public/browse/search", {
  headers,
  query: {
    q: Schema.optionalKey(
      textParameter("Part of the site's URL or host, in upper or lower case. Without it there are no hits.", {
        example: "docs.example",
        longest: 2_048
      })
    ),
    limit: Schema.optionalKey(
      clampedParameter({
        minimum: 1,
        maximum: 50,
        fallback: 20,
        description: "Maximum number of hits. Out-of-range values are clamped."
      })
    )
  },
  success: [tagged(BrowseSearch), NotModified],
  error: [BadRequest, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Search for sites",
    description: "Sites whose URL contains the text, most recently audited first."
  })
)

/** GET /api/public/browse/*. */
export const browseGroup = HttpApiGroup.make("browse", { topLevel: true })
  .add(browseSummary, browseTop, browseStats, browseSearch)
  .annotateMerge(OpenApi.annotations({ title: "Browse", description: "Browsing the audited sites." }))
