import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { siteNamed } from "../../../engine/evidence/Address.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { api } from "../../api/Api.ts"
import {
  type AdoptionSeriesBody,
  type BrowseSearch,
  type CorpusStatsBody,
  MOST_SITES,
  type SiteList,
  type SiteSummaryBody,
  type TopSites
} from "../../api/Corpus.ts"
import { BadRequest, NoSnapshot, NotFound, Unavailable } from "../../api/Errors.ts"
import { Dashboards } from "../../dashboards/Dashboards.ts"
import { corpusSummary, siteSummary } from "../../dashboards/Widgets.ts"
import { CachedResponse, evaluate, VARY } from "../../response/ResponseCache.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { orUnavailable } from "../errors/Refusals.ts"
import { isolatedGroup } from "./IsolatedGroup.ts"
import {
  type Snapshot,
  type SnapshotCoding,
  type SnapshotFormat,
  Snapshots
} from "../../../engine/store/snapshots/Snapshots.ts"
import { dataLicense } from "../../config/Settings.ts"
import { codingAmong, entityTagOf } from "../../response/EncodedBody.ts"
import { Clients } from "../request/Clients.ts"
import { makePlaces } from "./Places.ts"

const TOP_SITES = 10
const SEARCH_HITS = 20

/** GET /api/public/browse/* and /api/public/sites. */
export const browseHandlers = isolatedGroup(
  Effect.gen(function* () {
    const corpus = yield* Corpus
    const openData = yield* makeOpenData

    const tagged = <Body, E, R>(request: HttpServerRequest, body: Effect.Effect<Body, E, R>) =>
      Effect.flatMap(orUnavailable(body), (value) =>
        new CachedResponse(JSON.stringify(value), { type: JSON_TYPE }).to(request)
      )

    const oneSite = Effect.fnUntraced(function* (baseUrl: string) {
      const name = siteNamed(baseUrl)
      if (name === null)
        return yield* new BadRequest({
          error: "base_url is not a URL. Send one such as https://docs.example.com.",
          code: "invalid_base_url"
        })
      const [summary] = yield* corpus.sites([name])
      return summary === undefined
        ? yield* new NotFound({ error: "This site has no finished audit here.", code: "not_found" })
        : siteSummary(summary)
    })

    const severalSites = Effect.fnUntraced(function* (list: string) {
      const asked = [...new Set(list.split(",").flatMap((text) => (text.trim() === "" ? [] : [text.trim()])))]
      if (asked.length === 0 || asked.length > MOST_SITES)
        return yield* new BadRequest({
          error: `sites names ${asked.length} sites. Send 1 to ${MOST_SITES}, separated by commas.`
        })
      const named = asked.map((text) => ({ text, name: siteNamed(text) }))
      const found = yield* corpus.sites([...new Set(named.flatMap(({ name }) => name ?? []))])
      const bySite = new Map(found.map((summary) => [summary.site, summary]))
      return {
        sites: [...new Set(named.flatMap(({ name }) => bySite.get(name ?? "") ?? []))].map(siteSummary),
        unknown: named.flatMap(({ name, text }) => (bySite.has(name ?? "") ? [] : [text]))
      } satisfies SiteList
    })

    const lookedUp = Effect.fnUntraced(function* (
      one: string | undefined,
      several: string | undefined
    ): Effect.fn.Return<SiteSummaryBody | SiteList, BadRequest | NotFound | StoreUnavailable> {
      if (one !== undefined && several === undefined) return yield* oneSite(one)
      if (several !== undefined && one === undefined) return yield* severalSites(several)
      return yield* new BadRequest({
        error: "Send either base_url, for one site, or sites, for several separated by commas."
      })
    })

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
        browseAdoption: ({ query: { criterion = null, generator = null }, request }) =>
          tagged(request, openData.adoption(criterion, generator)),
        browseExport: ({ query: { format = "ndjson" }, request }) => openData.exported(request, format),
        browseSearch: ({ query: { limit = SEARCH_HITS, q = "" }, request }) =>
          tagged(
            request,
            Effect.map(q === "" ? Effect.succeed([]) : corpus.search(q, limit), (sites): BrowseSearch => ({
              query: q,
              hits: sites.map(siteSummary)
            }))
          ),
        getSites: ({ query, request }) => tagged(request, lookedUp(query.base_url, query.sites))
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

const TYPES: Readonly<Record<SnapshotFormat, string>> = {
  ndjson: "application/x-ndjson",
  csv: "text/csv; charset=utf-8; header=present"
}

/** How often a process looks whether a snapshot is missing, in seconds. */
const RETRY_SECONDS = 60

/** Characters of a digest that tell two snapshots apart. */
const TAG = 32

/** Downloads under way at once in a process, and of one client: a slow one has a part in memory, some 200 KB. */
const MOST_DOWNLOADS = 64
const MOST_OF_CLIENT = 4

const TOO_MANY = new Unavailable({
  error: "Too many downloads are under way. Try again when one has ended.",
  retryAfter: RETRY_SECONDS
})

/** What can be downloaded of the corpus, and the series of what was counted in it. */
const makeOpenData = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  const clients = yield* Clients
  const license = yield* dataLicense
  const begin = makePlaces({ most: MOST_DOWNLOADS, mostOfClient: MOST_OF_CLIENT, refusal: TOO_MANY })

  const exported = Effect.fnUntraced(function* (request: HttpServerRequest, format: SnapshotFormat) {
    const snapshot = yield* snapshots.newest(format)
    if (snapshot === null) return yield* missing(snapshots.areKept)
    const coding = codingAmong(request.headers["accept-encoding"], ["gzip", "identity"])
    const digest = snapshot.sha256.slice(0, TAG)
    const lastModified = new Date(snapshot.madeAt).toUTCString()
    // A snapshot may be withdrawn, so nothing keeps it without asking.
    const headers = { "cache-control": "no-cache", vary: VARY, etag: entityTagOf(digest, coding) }
    const outcome = evaluate(request.headers, { digest, lastModified })
    if (outcome !== "met") return HttpServerResponse.empty({ status: outcome === "failed" ? 412 : 304, headers })
    yield* begin(clients.of(request).rateKey)
    const [size, sha256] = sizeAndDigest(snapshot, coding)
    return HttpServerResponse.stream(snapshots.content(snapshot, coding), {
      contentType: TYPES[format],
      contentLength: size,
      headers: {
        ...headers,
        "last-modified": lastModified,
        link: `<${license}>; rel="license"`,
        // The content coding is part of what is digested (RFC 9530, section 3).
        "repr-digest": `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`,
        "content-disposition": `attachment; filename="docgauge-${snapshot.week}.${format}"`,
        ...(coding === "gzip" ? { "content-encoding": "gzip" } : {})
      }
    })
  }, orUnavailable)

  const adoption = (criterion: string | null, generator: string | null) => {
    const asked = { criterion: criterion?.toUpperCase() ?? null, generator: generator?.toLowerCase() ?? null }
    return Effect.map(snapshots.adoption(asked), ({ generators, weeks }): AdoptionSeriesBody => ({
      ...asked,
      weeks: weeks.map(({ countedAt, criteria, sites, week }) => ({ week, counted_at: countedAt, sites, criteria })),
      generators
    }))
  }

  return { adoption, exported }
})

const sizeAndDigest = (snapshot: Snapshot, coding: SnapshotCoding): readonly [size: number, sha256: string] =>
  coding === "gzip" ? [snapshot.gzipBytes, snapshot.gzipSha256] : [snapshot.bytes, snapshot.sha256]

const missing = (areKept: boolean) =>
  new NoSnapshot(
    areKept
      ? {
          error: "There is no snapshot to download at the moment. It is made within minutes: try again soon.",
          retryAfter: RETRY_SECONDS
        }
      : { error: "This service keeps nothing, so there is no data to download.", retryAfter: null }
  )
