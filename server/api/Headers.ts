import { LONGEST_SIGNATURE } from "../../engine/audit/signature/ReportClaims.ts"
import { documented } from "./Parameters.ts"

/** `Retry-After`: whole seconds, at least 1. */
export const retryAfter = documented(
  { type: "integer", minimum: 1, description: "Whole seconds to wait before the next request." },
  23
)

/** `RateLimit`, by draft-ietf-httpapi-ratelimit-headers. */
export const rateLimit = documented(
  {
    type: "string",
    maxLength: 200,
    description: "What is left of the limit: `r` requests, and `t` seconds until more are allowed."
  },
  '"submit";r=0;t=23'
)

/** `RateLimit-Policy`, by draft-ietf-httpapi-ratelimit-headers. */
export const rateLimitPolicy = documented(
  {
    type: "string",
    maxLength: 200,
    description: "The limit: `q` requests in `w` seconds."
  },
  '"submit";q=2;w=60'
)

/** `ETag`: strong, a hash of the content; one for each content coding. */
export const entityTag = documented(
  {
    type: "string",
    pattern: '^"[^"]+"$',
    description: "A hash of the content, for `If-None-Match`; different for each content coding."
  },
  '"3f2b8c1d9e0a4f67"'
)

/** `If-None-Match`: one or several tags, or `*`. */
export const ifNoneMatch = documented(
  {
    type: "string",
    maxLength: 2_048,
    description: "The `ETag` of the client's copy: 304 if it is still current. May be a list, a weak tag or `*`."
  },
  '"3f2b8c1d9e0a4f67"'
)

/** `Repr-Digest` (RFC 9530): of the bytes as they are sent, in their content coding. */
export const reprDigest = documented(
  {
    type: "string",
    maxLength: 100,
    description: "SHA-256 of the whole file in the content coding of this response (RFC 9530)."
  },
  "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
)

/** `Last-Modified`. */
export const lastModified = documented(
  { type: "string", maxLength: 40, description: "When the snapshot was made, for `If-Modified-Since`." },
  "Mon, 30 Nov 2026 00:00:41 GMT"
)

/** `Link` to a licence. */
export const licenseLink = documented(
  { type: "string", maxLength: 2_100, description: "The licence of the data." },
  '<https://creativecommons.org/publicdomain/zero/1.0/>; rel="license"'
)

/** `Cache-Control` of responses that must not be cached. */
export const noStore = documented(
  { type: "string", const: "no-store", description: "Runs change: do not cache the response." },
  "no-store"
)

/** `X-Audit-Cache`. */
export const auditCache = documented(
  {
    type: "string",
    enum: ["HIT", "MISS"],
    description: "`HIT`: a report from the last minutes, returned again. `MISS`: audited for this request."
  },
  "MISS"
)

/** `X-Audit-Diagnostics`: base64 of JSON, at most 4 KB. */
export const auditDiagnostics = documented(
  {
    type: "string",
    maxLength: 4_096,
    description:
      "Base64 of a JSON object: `run_id`, `rubric`, `engine_version`, `duration_ms`, `requests`, `bytes`, `flags`, `skipped`."
  },
  "eyJydW5faWQiOiIwMTkzNGY3YS0xYzJkLTdlM2YtOGE0Yi01YzZkN2U4ZjlhMGIifQ=="
)

/** A signature of the example's run, as the service makes it with the key of 32 zero bytes. */
export const SIGNATURE_EXAMPLE =
  "eyJhbGciOiJFZERTQSIsInR5cCI6ImRvY2dhdWdlLXJlcG9ydCtqd3QiLCJraWQiOiI5WlAwM051OEdyWFBBVWtiS054SE9LQnp4UFg4M1NTaGdGa1JOSy1mMmx3In0.eyJpc3MiOiJodHRwOi8vbG9jYWxob3N0OjgwODAiLCJydW5faWQiOiIwMTkzNGY3YS0xYzJkLTdlM2YtOGE0Yi01YzZkN2U4ZjlhMGIiLCJiYXNlX3VybCI6Imh0dHBzOi8vZG9jcy5oYXJib3VyaHViLmRldiIsInN0YXJ0ZWRfYXQiOiIyMDI2LTExLTIxVDEwOjE0OjAzLjUxMjg3NFoiLCJyZXBvcnRfc2hhMjU2IjoiYWIxZDFhNjZhNjdhOTVkYzQ0ZGVjMTU1NjgwMGE1YWVkMDM5MmU1NTRjY2M2YmYzMGY0YTJkMjcyOGVlZmRkNyJ9.BdqPnDh1XQgOG8skIa4ynZbKrR9DILoI2kgLoMJLLP6Ou-k6AM9cn6UT3HkN4mtcODBjPbP7m1HAC1rJ8YnABw"

/** `X-Audit-Signature`: the member `signature` of the run. */
export const auditSignature = documented(
  {
    type: "string",
    maxLength: LONGEST_SIGNATURE,
    description:
      "A JSON Web Token of the service that names itself, the run and the SHA-256 of the report's canonical JSON (RFC 8785)."
  },
  SIGNATURE_EXAMPLE
)

/** `X-Audit-Run-Id`. */
export const auditRunId = documented(
  { type: "string", format: "uuid", description: "The run that the report belongs to." },
  "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"
)

/** `X-Audit-Left-Out`. */
export const auditLeftOut = documented(
  {
    type: "string",
    maxLength: 2_048,
    description: "Query and fragment of `base_url`, if it has any: they play no part in the audit."
  },
  "?lang=en#start"
)

/** `Link` to the page of a run. */
export const shareLink = documented(
  {
    type: "string",
    maxLength: 200,
    description: "The page of the run, for people."
  },
  '</r/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b>; rel="alternate"'
)

/** `Location` of a redirect. */
export const location = documented(
  { type: "string", format: "uri-reference", description: "The page of the run." },
  "/r/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"
)

/** `Location` of a 202. */
export const pollLocation = documented(
  { type: "string", format: "uri-reference", description: "Where to poll the run: `poll_url` of the body." },
  "/api/public/audit/01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"
)

/** `Content-Disposition` of a file. */
export const contentDisposition = documented(
  {
    type: "string",
    maxLength: 200,
    description: "Suggested file name."
  },
  'attachment; filename="01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b.warc.gz"'
)
