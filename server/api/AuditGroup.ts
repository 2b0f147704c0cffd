import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { AuditReport } from "../../engine/audit/Report.ts"
import { AuditTimedOut, BadRequest, ContentTooLarge, ForeignPage, storeErrors, Unprocessable, UnsupportedMediaType } from "./Errors.ts"
import { auditCache, auditDiagnostics, auditRunId, location, noStore, shareLink } from "./Headers.ts"
import { flagParameter } from "./Parameters.ts"
import { AsyncAccepted, AuditRequest } from "./Runs.ts"

/** The report at once, where the client waits for it. */
const Audited = HttpApiSchema.WithHeaders(AuditReport, {
  "x-audit-cache": auditCache,
  "x-audit-run-id": auditRunId,
  "x-audit-diagnostics": Schema.optionalKey(auditDiagnostics),
  link: shareLink,
  "cache-control": noStore
})

const Accepted = HttpApiSchema.WithHeaders(
  AsyncAccepted.pipe(HttpApiSchema.status(202)),
  { "x-audit-run-id": auditRunId, link: shareLink, "cache-control": noStore }
)

/** Where a form that asked for `async` is sent. */
const SentToPage = HttpApiSchema.WithHeaders(
  HttpApiSchema.Empty(303).annotate({ description: "A form with `async=true`: the audit is accepted, and its page is at `Location`." }),
  { location, "x-audit-run-id": auditRunId, link: shareLink, "cache-control": noStore }
)

/** A form that is refused gets a page where its client prefers one. */
const withRefusalPages = (operation: Record<string, unknown>): Record<string, unknown> => ({
  ...operation,
  responses: mapValues(operation["responses"], (response, status) =>
    Number(status) < 400 ? response : { ...response, content: { ...toRecord(response["content"]), "text/html": { schema: REFUSAL_PAGE } } })
})

const REFUSAL_PAGE = { type: "string", description: "The refusal as a page, for a form whose client prefers HTML." }

const toRecord = (value: unknown): Record<string, unknown> => (typeof value === "object" && value !== null ? { ...value } : {})

const mapValues = (record: unknown, change: (value: Record<string, unknown>, key: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(toRecord(record)).map(([key, value]) => [key, change(toRecord(value), key)]))

/** POST /audit. */
export const auditGroup = HttpApiGroup.make("audits", { topLevel: true }).add(
  HttpApiEndpoint.post("submitAudit", "/audit", {
    query: {
      async: Schema.optionalKey(flagParameter("`true`: answer 202 at once, and let the client poll. Otherwise the request waits for the report, up to 120 s."))
    },
    payload: [AuditRequest, AuditRequest.pipe(HttpApiSchema.asFormUrlEncoded())],
    success: [Audited, Accepted, SentToPage],
    error: [BadRequest, ForeignPage, ContentTooLarge, UnsupportedMediaType, Unprocessable, ...storeErrors, AuditTimedOut]
  }).annotateMerge(OpenApi.annotations({
    summary: "Audit a documentation site",
    description:
      "Audits the site against the rubric's 30 criteria. A report that was finished within the last 10 minutes is replayed, an audit under way is joined. The fetches go only to the public site that is named. Clients that wait set a time-out of at least 120 s.",
    transform: withRefusalPages
  }))
).annotateMerge(OpenApi.annotations({ title: "Audits", description: "Starting audits." }))
