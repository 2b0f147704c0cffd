import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { BadRequest, NotFound, storeErrors, Unprocessable } from "./Errors.ts"
import { contentDisposition, noStore } from "./Headers.ts"
import { clampedParameter, runIdParameter, timestampParameter } from "./Parameters.ts"
import { DiffResponse, HistoryPage, RunBody } from "./Runs.ts"

const notKept = { "cache-control": noStore }

const getRun = HttpApiEndpoint.get("getRun", "/api/public/audit/:id", {
  params: { id: runIdParameter("The run.") },
  success: HttpApiSchema.WithHeaders(RunBody, notKept),
  error: [BadRequest, NotFound, Unprocessable, ...storeErrors]
}).annotateMerge(OpenApi.annotations({
  summary: "Read a run",
  description: "Tells how far a run is, and has the report once it is `done`. Poll every 2 to 3 seconds until `status` is `done` or `error`."
}))

const getHistory = HttpApiEndpoint.get("getHistory", "/api/public/audit/:id/history", {
  params: { id: runIdParameter("Any run of the site.") },
  query: {
    limit: Schema.optionalKey(clampedParameter({ minimum: 1, maximum: 100, fallback: 20, description: "Runs on a page. Values out of range are clamped." })),
    cursor: Schema.optionalKey(timestampParameter("Only runs strictly older than this: the `next_cursor` of the page before. Left out: when the run of `id` was accepted."))
  },
  success: HttpApiSchema.WithHeaders(HistoryPage, notKept),
  error: [BadRequest, NotFound, ...storeErrors]
}).annotateMerge(OpenApi.annotations({
  summary: "List earlier runs of the same site",
  description: "Runs of the site, newest first, older than the run of `id` or the `cursor`. Follow `next_cursor` until it is empty."
}))

const getDiff = HttpApiEndpoint.get("getDiff", "/api/public/audit/:id/diff", {
  params: { id: runIdParameter("The newer run, the target.") },
  query: {
    baseline: Schema.optionalKey(runIdParameter("The older run. Left out: the most recent earlier run of the same site that is `done`."))
  },
  success: HttpApiSchema.WithHeaders(DiffResponse, notKept),
  error: [BadRequest, NotFound, Unprocessable, ...storeErrors]
}).annotateMerge(OpenApi.annotations({
  summary: "Compare two runs of a site",
  description: "What changed from the baseline to the target: in total, by category and by criterion. Both runs have to be `done`."
}))

/** The run's archive as bytes; gzip is its format, not a content coding. */
const Archive = HttpApiSchema.StreamUint8Array({ contentType: "application/gzip" }).annotate({
  description: "Every exchange of the audit, as a gzip WARC 1.1 file."
})

const getArchive = HttpApiEndpoint.get("getArchive", "/api/public/audit/:id/archive", {
  params: { id: runIdParameter("The run.") },
  success: HttpApiSchema.WithHeaders(Archive, { ...notKept, "content-disposition": contentDisposition }),
  error: [BadRequest, NotFound, ...storeErrors]
}).annotateMerge(OpenApi.annotations({
  summary: "Download the evidence of a run",
  description: "Every exchange behind the report, or what was tried where there is none, as a WARC file: for looking into a verdict, or auditing again from it. Archives are kept for the newest runs of a site only."
}))

/** GET /api/public/audit/{id} and what belongs to it. */
export const runGroup = HttpApiGroup.make("runs", { topLevel: true })
  .add(getRun, getHistory, getDiff, getArchive)
  .annotateMerge(OpenApi.annotations({ title: "Runs", description: "Reading audits that were asked for." }))
