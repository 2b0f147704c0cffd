import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { SNAPSHOT_FORMATS } from "../../engine/store/snapshots/Snapshots.ts"
import {
  AdoptionSeriesBody,
  BrowseSearch,
  CorpusStatsBody,
  CorpusSummaryBody,
  MOST_SITES,
  SiteList,
  SiteSummaryBody,
  TopSites
} from "./Corpus.ts"
import { BadRequest, NoSnapshotResponse, NotFound, storeErrors } from "./Errors.ts"
import { contentDisposition, entityTag, ifNoneMatch, lastModified, licenseLink, reprDigest } from "./Headers.ts"
import { clampedParameter, formedParameter, textParameter, wordParameter } from "./Parameters.ts"

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

const browseAdoption = HttpApiEndpoint.get("browseAdoption", "/api/public/browse/adoption", {
  headers,
  query: {
    criterion: Schema.optionalKey(formedParameter(/^[A-Za-z]\d{1,4}$/, "Only this criterion. Default: all.", "A1")),
    generator: Schema.optionalKey(
      formedParameter(
        /^[A-Za-z\d-]{1,40}$/,
        "Only sites made with this documentation generator, in upper or lower case, or `unknown`. Default: all sites together.",
        "docusaurus"
      )
    )
  },
  success: [tagged(AdoptionSeriesBody), NotModified],
  error: [BadRequest, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Follow the adoption of criteria",
    description: "How many sites meet each criterion, week by week, of all sites or of those of one generator."
  })
)

const exported = {
  etag: entityTag,
  "repr-digest": reprDigest,
  "last-modified": lastModified,
  link: licenseLink,
  "content-disposition": contentDisposition
}

/** All sites as bytes: a JSON object in each line, or CSV. */
const Sites = HttpApiSchema.StreamUint8Array({ contentType: ["application/x-ndjson", "text/csv"] }).annotate({
  description: "All sites: a JSON object in each line, or a record each by RFC 4180."
})

const browseExport = HttpApiEndpoint.get("browseExport", "/api/public/browse/export", {
  headers,
  query: {
    format: Schema.optionalKey(wordParameter(SNAPSHOT_FORMATS, "ndjson", "Lines of JSON, or CSV with a header."))
  },
  success: [HttpApiSchema.WithHeaders(Sites, exported), NotModified],
  error: [BadRequest, NoSnapshotResponse, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Download all data",
    description:
      "All audited sites with their figures and what their newest audits found for each criterion, as they were at the beginning of the week."
  })
)

const getSites = HttpApiEndpoint.get("getSites", "/api/public/sites", {
  headers,
  query: {
    base_url: Schema.optionalKey(
      textParameter("The URL or host form of one site: the response is its SiteSummary.", {
        example: "https://docs.example.com",
        longest: 2_048
      })
    ),
    sites: Schema.optionalKey(
      textParameter(
        `Instead of \`base_url\`: the URLs or host forms of up to ${MOST_SITES} sites, separated by commas. The response is a SiteList.`,
        { example: "docs.example.com,docs.example.org", longest: 16_384 }
      )
    )
  },
  success: [tagged(Schema.Union([SiteSummaryBody, SiteList])), NotModified],
  error: [BadRequest, NotFound, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Look up sites",
    description:
      "From a site to its newest report: the figures of one site or of several, with the run to read in `latest_run_id`. Nothing is audited."
  })
)

/** GET /api/public/browse/* and /api/public/sites. */
export const browseGroup = HttpApiGroup.make("browse", { topLevel: true })
  .add(browseSummary, browseTop, browseStats, browseAdoption, browseSearch, browseExport, getSites)
  .annotateMerge(OpenApi.annotations({ title: "Browse", description: "Browsing the audited sites." }))
