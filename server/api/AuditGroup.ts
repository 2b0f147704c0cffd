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
  UnsupportedMediaType
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
  shareLink
} from "./Headers.ts"
import { flagParameter } from "./Parameters.ts"
import { AsyncAccepted, AuditRequestBody } from "./Runs.ts"

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
  responses: mapValues(operation["responses"], (response, status) =>
    Number(status) < 400
      ? response
      : { ...response, content: { ...toRecord(response["content"]), "text/html": { schema: REFUSAL_PAGE } } }
  )
})

const REFUSAL_PAGE = { type: "string", description: "The error as a page, for a form whose client prefers HTML." }

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {}

const mapValues = (
  record: unknown,
  change: (value: Record<string, unknown>, key: string) => unknown
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(toRecord(record)).map(([key, value]) => [key, change(toRecord(value), key)]))

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
