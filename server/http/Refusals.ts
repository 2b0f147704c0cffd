import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { rateLimitHeaders } from "../../engine/limit/RateLimitHeaders.ts"
import type { Refusal } from "../../engine/limit/Verdict.ts"
import { TooManyRequests } from "../api/Errors.ts"
import { JSON_TYPE, toLast } from "./Answers.ts"
import { sharePath } from "./RunBodies.ts"

const SITE_QUOTA = "This site was audited for your network already. Read that run, and do not submit again."

const messageOf = ({ code, retryAfter, standing: { limit, policy } }: Refusal): string => {
  if (code === "site_quota") return SITE_QUOTA
  const wait = `Wait ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}.`
  if (policy === "runs") return `Your network has ${limit} ${limit === 1 ? "audit" : "audits"} waiting or running already. ${wait}`
  return policy === "host" ? `This site is audited too often at the moment. ${wait}` : `Too many requests. ${wait}`
}

/** A limit's refusal as the error of the contract. */
export const tooManyRequests = (refusal: Refusal): TooManyRequests => {
  const headers = rateLimitHeaders(refusal)
  return new TooManyRequests({
    error: messageOf(refusal),
    code: refusal.code,
    retry_after: refusal.retryAfter,
    ...(refusal.runId === null ? {} : { run_id: refusal.runId, share_url: sharePath(refusal.runId) }),
    rateLimit: headers["ratelimit"] ?? "",
    rateLimitPolicy: headers["ratelimit-policy"] ?? ""
  })
}

const answers = new Map<string, HttpServerResponse.HttpServerResponse>()

/** Refusals differ in few seconds and figures. */
const REMEMBERED = 2_000

/** The same as a response, at once: whoever is refused should cost as little as can be. */
export const refusedAnswer = (refusal: Refusal): HttpServerResponse.HttpServerResponse => {
  const { retryAfter, runId, standing: { limit, policy, remaining, resetSeconds, windowSeconds } } = refusal
  if (runId !== null) return makeAnswer(refusal)
  const key = `${policy} ${limit} ${windowSeconds} ${remaining} ${resetSeconds} ${retryAfter}`
  const known = answers.get(key)
  if (known !== undefined) return known
  const answer = toLast(makeAnswer(refusal))
  if (answers.size >= REMEMBERED) answers.clear()
  answers.set(key, answer)
  return answer
}

const makeAnswer = (refusal: Refusal): HttpServerResponse.HttpServerResponse => {
  const { code, retryAfter, runId } = refusal
  const body = {
    error: messageOf(refusal),
    code,
    retry_after: retryAfter,
    ...(runId === null ? {} : { run_id: runId, share_url: sharePath(runId) })
  }
  return HttpServerResponse.text(JSON.stringify(body), { status: 429, contentType: JSON_TYPE, headers: { ...rateLimitHeaders(refusal), "cache-control": "no-store" } })
}
