import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type LimitRefusal, rateLimitHeaders } from "../../../engine/limit/LimitDecision.ts"
import { TooManyRequests } from "../../api/Errors.ts"
import { refusalMessage } from "../../audits/RefusalMessages.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { sharePath } from "../../audits/FinishedRuns.ts"

/** With the run to read instead, and how the site's owner can verify it, if there are. */
const bodyOf = (refusal: LimitRefusal) => ({
  error: refusalMessage(refusal),
  code: refusal.code,
  retry_after: refusal.retryAfter,
  ...(refusal.runId === null ? {} : { run_id: refusal.runId, share_url: sharePath(refusal.runId) }),
  ...(refusal.verification === undefined ? {} : { verification: refusal.verification })
})

/** A refusal as the error of the contract. */
export const tooManyRequests = (refusal: LimitRefusal): TooManyRequests => {
  const headers = rateLimitHeaders(refusal)
  return new TooManyRequests({
    ...bodyOf(refusal),
    rateLimit: headers["ratelimit"] ?? "",
    rateLimitPolicy: headers["ratelimit-policy"] ?? ""
  })
}

/** The same as a response, without encoding it by a schema: a flood of refused requests must cost little. */
export const rateLimitResponse = (refusal: LimitRefusal): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(bodyOf(refusal)), {
    status: 429,
    contentType: JSON_TYPE,
    headers: { ...rateLimitHeaders(refusal), "cache-control": "no-store" }
  })
