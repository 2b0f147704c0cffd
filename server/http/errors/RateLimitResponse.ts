import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { rateLimitHeaders } from "../../../engine/limit/RateLimitHeaders.ts"
import type { LimitRefusal } from "../../../engine/limit/LimitDecision.ts"
import { TooManyRequests } from "../../api/Errors.ts"
import { refusalMessage } from "../../audits/RefusalMessages.ts"
import { reusable } from "../../response/CachedResponse.ts"
import { JSON_TYPE } from "../../response/Json.ts"
import { sharePath } from "../../audits/RunBodies.ts"

/** A refusal as the error of the contract. */
export const tooManyRequests = (refusal: LimitRefusal): TooManyRequests => {
  const headers = rateLimitHeaders(refusal)
  return new TooManyRequests({
    error: refusalMessage(refusal),
    code: refusal.code,
    retry_after: refusal.retryAfter,
    ...siteQuotaFields(refusal),
    rateLimit: headers["ratelimit"] ?? "",
    rateLimitPolicy: headers["ratelimit-policy"] ?? ""
  })
}

const answers = new Map<string, HttpServerResponse.HttpServerResponse>()

/** Refusals differ only in seconds and limits. */
const REMEMBERED = 2_000

/** The same as a response. Refusals are built once, since floods of refused requests must cost little. */
export const rateLimitResponse = (refusal: LimitRefusal): HttpServerResponse.HttpServerResponse => {
  const { retryAfter, runId, standing: { limit, policy, remaining, resetSeconds, windowSeconds } } = refusal
  if (runId !== null) return makeResponse(refusal)
  const key = `${policy} ${limit} ${windowSeconds} ${remaining} ${resetSeconds} ${retryAfter}`
  const known = answers.get(key)
  if (known !== undefined) return known
  const answer = reusable(makeResponse(refusal))
  if (answers.size >= REMEMBERED) answers.clear()
  answers.set(key, answer)
  return answer
}

const makeResponse = (refusal: LimitRefusal): HttpServerResponse.HttpServerResponse => {
  const { code, retryAfter } = refusal
  const body = {
    error: refusalMessage(refusal),
    code,
    retry_after: retryAfter,
    ...siteQuotaFields(refusal)
  }
  return HttpServerResponse.text(JSON.stringify(body), { status: 429, contentType: JSON_TYPE, headers: { ...rateLimitHeaders(refusal), "cache-control": "no-store" } })
}

/** The run to read instead, and how the site's owner can verify it. */
const siteQuotaFields = ({ runId, verification }: LimitRefusal) => ({
  ...(runId === null ? {} : { run_id: runId, share_url: sharePath(runId) }),
  ...(verification === undefined ? {} : { verification })
})
