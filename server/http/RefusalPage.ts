import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { plainText } from "../../engine/audit/PlainText.ts"
import { homePage, type HomeOptions } from "../pages/HomePage.ts"
import { PAGE_CSP, renderPage } from "../pages/kit/PageAnswer.ts"
import type { AuditTimedOut, BadRequest, ContentTooLarge, ForeignPage, TooManyRequests, Unavailable, Unprocessable, UnsupportedMediaType } from "../api/Errors.ts"

/** What is kept of what was typed, in characters: as much as the field takes. */
const LONGEST_TYPED = 2_048

/** Every way in which POST /audit says no. */
export type SubmissionError = AuditTimedOut | BadRequest | ContentTooLarge | ForeignPage | TooManyRequests | Unavailable | Unprocessable | UnsupportedMediaType

const STATUS: Readonly<Record<SubmissionError["_tag"], number>> = {
  BadRequest: 400,
  ForeignPage: 403,
  ContentTooLarge: 413,
  UnsupportedMediaType: 415,
  Unprocessable: 422,
  TooManyRequests: 429,
  Unavailable: 503,
  AuditTimedOut: 504
}

/** The refusal of a form: the form again, with what was typed and why not, and the status that JSON would have had. */
export const refusalPage = (error: SubmissionError, typed: string, categories: HomeOptions["categories"]): HttpServerResponse.HttpServerResponse => {
  const report = error._tag === "TooManyRequests" ? error.share_url : undefined
  const refusal = { text: forPeople(error.error), typed: plainText(typed, LONGEST_TYPED), ...(report === undefined ? {} : { report }) }
  return HttpServerResponse.text(renderPage(homePage({ categories, teaser: null, refusal })), {
    status: STATUS[error._tag],
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "no-store", "content-security-policy": PAGE_CSP, ...headersOf(error) }
  })
}

/** The same words without the name that the field has for programs. */
const forPeople = (text: string): string =>
  text.replace(/^base_url cannot be/, "This address cannot be").replace(/^base_url is missing: send/, "Nothing was typed: give")

const headersOf = (error: SubmissionError): Readonly<Record<string, string>> => {
  if (error._tag === "Unavailable") return { "retry-after": String(error.retryAfter) }
  return error._tag === "TooManyRequests"
    ? { "retry-after": String(error.retry_after), ratelimit: error.rateLimit, "ratelimit-policy": error.rateLimitPolicy }
    : {}
}
