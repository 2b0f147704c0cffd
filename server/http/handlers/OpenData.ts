import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import {
  type Snapshot,
  type SnapshotCoding,
  type SnapshotFormat,
  Snapshots
} from "../../../engine/store/snapshots/Snapshots.ts"
import type { AdoptionSeriesBody } from "../../api/Corpus.ts"
import { NoSnapshot, Unavailable } from "../../api/Errors.ts"
import { dataLicense } from "../../config/Settings.ts"
import { codingAmong, entityTagOf } from "../../response/EncodedBody.ts"
import { evaluate, VARY } from "../../response/ResponseCache.ts"
import { orUnavailable } from "../errors/Unavailability.ts"
import { Clients } from "../request/Clients.ts"
import { makePlaces } from "./Places.ts"

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
export const makeOpenData = Effect.gen(function* () {
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
