import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { isJsonObject, type JsonObject } from "../../engine/text/JsonText.ts"
import { BadRequest, NotFound, storeErrors, Unprocessable } from "./Errors.ts"
import { contentDisposition, noStore, retryAfter } from "./Headers.ts"
import { clampedParameter, runIdParameter, timestampParameter } from "./Parameters.ts"
import { DiffResponse, HistoryPageBody, RunBody } from "./Runs.ts"

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

const membersOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

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
