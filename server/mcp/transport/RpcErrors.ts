import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type LimitRefusal, rateLimitHeaders } from "../../../engine/limit/LimitDecision.ts"
import { tooManyRequests } from "../../http/errors/RateLimitResponse.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * An error of the endpoint itself, outside the protocol: a JSON-RPC error without an id, as the body of a response with an
 * HTTP status. Codes from -32000 to -32019 are the server's own; -32002 is left out, because revisions with sessions use it
 * for a missing resource.
 */
export const rpcError = (status: number, code: number, message: string, { data, headers }: Details = {}): Response =>
  HttpServerResponse.jsonUnsafe(
    { jsonrpc: "2.0", id: null, error: { code, message, ...(data === undefined ? {} : { data }) } },
    { status, headers: { "cache-control": "no-store", ...headers } }
  )

interface Details {
  readonly data?: object
  readonly headers?: Readonly<Record<string, string>>
}

export const FORBIDDEN = rpcError(403, -32_000, "Pages of other origins cannot use this server.")
export const NO_SESSION = rpcError(404, -32_001, "This session does not exist. Send initialize to start one.")
export const UNAVAILABLE = rpcError(
  503,
  -32_003,
  "The service is not available at the moment. Try again in 5 seconds.",
  { headers: { "retry-after": "5" } }
)

/** A limit's refusal: `data` holds what the HTTP API answers with. */
export const rateLimitError = (refusal: LimitRefusal): Response => {
  const { code, error, retry_after } = tooManyRequests(refusal)
  return rpcError(429, -32_005, error, { data: { code, retry_after }, headers: rateLimitHeaders(refusal) })
}
