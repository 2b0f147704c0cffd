import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { BrowseSearch, CorpusStats, CorpusSummary, TopSites } from "./Corpus.ts"
import { BadRequest, storeErrors } from "./Errors.ts"
import { entityTag, ifNoneMatch } from "./Headers.ts"
import { clampedParameter, textParameter, wordParameter } from "./Parameters.ts"

const headers = { "if-none-match": Schema.optionalKey(ifNoneMatch) }

const tagged = <Body extends Schema.Top>(body: Body) => HttpApiSchema.WithHeaders(body, { etag: entityTag })

/** What the client has still holds. */
export const NotModified = HttpApiSchema.WithHeaders(
  HttpApiSchema.Empty(304).annotate({ description: "What the client has still holds. No body." }),
  { etag: entityTag }
)

const browseSummary = HttpApiEndpoint.get("browseSummary", "/api/public/browse/summary", {
  headers,
  success: [tagged(CorpusSummary), NotModified],
  error: [BadRequest, ...storeErrors]
}).annotateMerge(OpenApi.annotations({
  summary: "Sum up the corpus",
  description: "How many sites and audits there are, and how they score."
}))

const browseTop = HttpApiEndpoint.get("browseTop", "/api/public/browse/top", {
  headers,
  query: {
    window: Schema.optionalKey(wordParameter(["7d", "30d", "all"], "7d", "Only sites that were audited in this time.")),
    limit: Schema.optionalKey(clampedParameter({ minimum: 1, maximum: 50, fallback: 10, description: "Sites at most. Values out of range are clamped." })),
    order: Schema.optionalKey(wordParameter(["best", "worst"], "best", "Best or worst scores first."))
  },
  success: [tagged(TopSites), NotModified],
  error: [BadRequest, ...storeErrors]
}).annotateMerge(OpenApi.annotations({
  summary: "List the best or worst sites",
  description: "Sites by their newest score within the window."
}))

const browseStats = HttpApiEndpoint.get("browseStats", "/api/public/browse/stats", {
  headers,
  success: [tagged(CorpusStats), NotModified],
  error: [BadRequest, ...storeErrors]
}).annotateMerge(OpenApi.annotations({
  summary: "Show distributions over the corpus",
  description: "How scores, top-level domains and organisations are distributed over all sites."
}))

const browseSearch = HttpApiEndpoint.get("browseSearch", "/api/public/browse/search", {
  headers,
  query: {
    q: Schema.optionalKey(textParameter("Part of the site's address or host, in any case. Left out or empty: no hits.", { example: "docs.example", longest: 2_048 })),
    limit: Schema.optionalKey(clampedParameter({ minimum: 1, maximum: 50, fallback: 20, description: "Hits at most. Values out of range are clamped." }))
  },
  success: [tagged(BrowseSearch), NotModified],
  error: [BadRequest, ...storeErrors]
}).annotateMerge(OpenApi.annotations({
  summary: "Search for sites",
  description: "Sites whose address contains the text, most recently audited first."
}))

/** GET /api/public/browse/*. */
export const browseGroup = HttpApiGroup.make("browse", { topLevel: true })
  .add(browseSummary, browseTop, browseStats, browseSearch)
  .annotateMerge(OpenApi.annotations({ title: "Browse", description: "Looking through the corpus of audited sites." }))
