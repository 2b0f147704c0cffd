import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { AuditReport } from "../../engine/audit/Report.ts"
import {
  AuditTimedOutResponse,
  BadRequest,
  ContentTooLarge,
  ForeignPage,
  storeErrors,
  Unprocessable,
  UnsupportedMediaType,
  NotFound
} from "./Errors.ts"
import {
  auditCache,
  auditDiagnostics,
  auditLeftOut,
  auditRunId,
  auditSignature,
  location,
  noStore,
  pollLocation,
  retryAfter,
  shareLink,
  contentDisposition
} from "./Headers.ts"
import { flagParameter, clampedParameter, runIdParameter, timestampParameter } from "./Parameters.ts"
import { AsyncAccepted, AuditRequestBody, DiffResponse, HistoryPageBody, RunBody } from "./Runs.ts"
import { isJsonObject, type JsonObject } from "../../engine/text/JsonText.ts"

/** The report itself, for a synchronous request. */
const Audited = HttpApiSchema.WithHeaders(AuditReport, {
  "x-audit-cache": auditCache,
  "x-audit-run-id": auditRunId,
  "x-audit-left-out": Schema.optionalKey(auditLeftOut),
  "x-audit-diagnostics": Schema.optionalKey(auditDiagnostics),
  "x-audit-signature": Schema.optionalKey(auditSignature),
  link: shareLink,
  "cache-control": noStore
})

const Accepted = HttpApiSchema.WithHeaders(AsyncAccepted.pipe(HttpApiSchema.status(202)), {
  // Optional, because services of the same contract may not send them yet.
  location: Schema.optionalKey(pollLocation),
  "retry-after": Schema.optionalKey(retryAfter),
  "x-audit-run-id": auditRunId,
  "x-audit-left-out": Schema.optionalKey(auditLeftOut),
  link: shareLink,
  "cache-control": noStore
})

/** The redirect of a form with `async=true`. */
const SentToPage = HttpApiSchema.WithHeaders(
  HttpApiSchema.Empty(303).annotate({
    description: "For a form with `async=true`: the audit is accepted, and `Location` is its page."
  }),
  {
    location,
    "x-audit-run-id": auditRunId,
    "x-audit-left-out": Schema.optionalKey(auditLeftOut),
    link: shareLink,
    "cache-control": noStore
  }
)

/** Documents that a refused form submission gets an HTML page if the client prefers one. */
const withRefusalPages = (operation: Record<string, unknown>): Record<string, unknown> => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(membersOf(operation["responses"])).map(([status, response]) => {
      const members = membersOf(response)
      const content = { ...membersOf(members["content"]), "text/html": { schema: REFUSAL_PAGE } }
      return [status, Number(status) < 400 ? response : { ...members, content }]
    })
  )
})

const REFUSAL_PAGE = { type: "string", description: "The error as a page, for a form whose client prefers HTML." }

const membersOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** POST /audit. */
export const auditGroup = HttpApiGroup.make("audits", { topLevel: true })
  .add(
    HttpApiEndpoint.post("submitAudit", "/audit", {
      query: {
        async: Schema.optionalKey(
          flagParameter(
            "`true`: respond with 202 at once, and let the client poll. Otherwise the request waits up to 120 s for the report."
          )
        )
      },
      payload: [AuditRequestBody, AuditRequestBody.pipe(HttpApiSchema.asFormUrlEncoded())],
      success: [Audited, Accepted, SentToPage],
      error: [
        BadRequest,
        ForeignPage,
        ContentTooLarge,
        UnsupportedMediaType,
        Unprocessable,
        ...storeErrors,
        AuditTimedOutResponse
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Audit a documentation site",
        description:
          "Audits the site against the rubric's 30 criteria. If a report was finished within the last 10 minutes, it is returned again; if an audit is running, the request joins it. docgauge sends requests only to the public site in `base_url`. Without `async=true`, set a client timeout of at least 120 s.",
        transform: withRefusalPages
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Audits", description: "Starting audits." }))

const uncached = { "cache-control": noStore }

/** The answers to a client that asks for `text/event-stream`; in the definition of the endpoint they would change what typed clients are given. */
const withEvents = (operation: Record<string, unknown>): Record<string, unknown> => {
  const responses = membersOf(operation["responses"])
  const ok = membersOf(responses["200"])
  return {
    ...operation,
    responses: {
      ...responses,
      "200": { ...ok, content: { ...membersOf(ok["content"]), "text/event-stream": { schema: EVENTS } } },
      "204": {
        description: "With `Last-Event-ID: end`: the client has seen the last event, and need not connect again."
      }
    }
  }
}

const EVENTS = {
  type: "string",
  description:
    "For `Accept: text/event-stream`: server-sent events. `progress` has the fields of RunUnderWay, at once and at each change; the last one, `end`, those of RunFailed, or of RunDone without `report` and `signature`. After ten minutes the stream ends, and clients connect again."
}

const getRun = HttpApiEndpoint.get("getRun", "/api/public/audit/:id", {
  params: { id: runIdParameter("The run.") },
  success: HttpApiSchema.WithHeaders(RunBody, { ...uncached, "retry-after": Schema.optionalKey(retryAfter) }),
  error: [BadRequest, NotFound, Unprocessable, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read a run",
    description:
      "Returns the progress of a run and, once it is `done`, its report. Poll every 2 to 3 seconds until `status` is `done` or `error`; until then the response has `Retry-After`. A client that asks for `text/event-stream` is told of each step instead.",
    transform: withEvents
  })
)

const getHistory = HttpApiEndpoint.get("getHistory", "/api/public/audit/:id/history", {
  params: { id: runIdParameter("Any run of the site.") },
  query: {
    limit: Schema.optionalKey(
      clampedParameter({
        minimum: 1,
        maximum: 100,
        fallback: 20,
        description: "Runs per page. Out-of-range values are clamped."
      })
    ),
    cursor: Schema.optionalKey(
      timestampParameter(
        "Only runs strictly older than this: the `next_cursor` of the previous page. Default: the time when the run `id` was accepted."
      )
    )
  },
  success: HttpApiSchema.WithHeaders(HistoryPageBody, uncached),
  error: [BadRequest, NotFound, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "List earlier runs of the same site",
    description:
      "Runs of the site, newest first, older than the run `id` or the `cursor`. Follow `next_cursor` until it is empty."
  })
)

const getDiff = HttpApiEndpoint.get("getDiff", "/api/public/audit/:id/diff", {
  params: { id: runIdParameter("The newer run, the target.") },
  query: {
    baseline: Schema.optionalKey(
      runIdParameter("The older run. Default: the most recent earlier run of the same site that is `done`.")
    )
  },
  success: HttpApiSchema.WithHeaders(DiffResponse, uncached),
  error: [BadRequest, NotFound, Unprocessable, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Compare two runs of a site",
    description:
      "What changed from the baseline to the target: in total, by category and by criterion. Both runs must be `done`."
  })
)

/** The run's archive as bytes; gzip is its format, not a content coding. */
const Archive = HttpApiSchema.StreamUint8Array({ contentType: "application/gzip" }).annotate({
  description: "Every exchange of the audit, as a gzip WARC 1.1 file."
})

const getArchive = HttpApiEndpoint.get("getArchive", "/api/public/audit/:id/archive", {
  params: { id: runIdParameter("The run.") },
  success: HttpApiSchema.WithHeaders(Archive, { ...uncached, "content-disposition": contentDisposition }),
  error: [BadRequest, NotFound, ...storeErrors]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Download the evidence of a run",
    description:
      "Every HTTP exchange of the run as a WARC file, of failed runs too: to check a result, or to repeat the audit offline. Only the newest runs of a site keep their archives."
  })
)

/** GET /api/public/audit/{id} and what belongs to it. */
export const runGroup = HttpApiGroup.make("runs", { topLevel: true })
  .add(getRun, getHistory, getDiff, getArchive)
  .annotateMerge(OpenApi.annotations({ title: "Runs", description: "Reading the results of audits." }))
