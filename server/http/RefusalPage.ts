import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { AuditTimedOut, BadRequest, ContentTooLarge, TooManyRequests, Unavailable, Unprocessable, UnsupportedMediaType } from "../api/Errors.ts"

/** Every way in which POST /audit says no. */
export type SubmissionError = AuditTimedOut | BadRequest | ContentTooLarge | TooManyRequests | Unavailable | Unprocessable | UnsupportedMediaType

const STATUS: Readonly<Record<SubmissionError["_tag"], number>> = {
  BadRequest: 400,
  ContentTooLarge: 413,
  UnsupportedMediaType: 415,
  Unprocessable: 422,
  TooManyRequests: 429,
  Unavailable: 503,
  AuditTimedOut: 504
}

/** Whether a client would rather have a page than JSON. */
export const prefersHtml = ({ headers }: HttpServerRequest): boolean => {
  const accept = headers["accept"] ?? ""
  const [html, json] = [accept.indexOf("text/html"), accept.indexOf("application/json")]
  return html >= 0 && (json < 0 || html < json)
}

/** The refusal of a form as a page, with the status that JSON would have had. */
export const refusalPage = (error: SubmissionError): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(pageOf(error), {
    status: STATUS[error._tag],
    contentType: "text/html; charset=utf-8",
    headers: headersOf(error)
  })

const headersOf = (error: SubmissionError): Readonly<Record<string, string>> => {
  if (error._tag === "Unavailable") return { "retry-after": "5" }
  return error._tag === "TooManyRequests"
    ? { "retry-after": String(error.retry_after), ratelimit: error.rateLimit, "ratelimit-policy": error.rateLimitPolicy }
    : {}
}

const pageOf = (error: SubmissionError): string => {
  const share = error._tag === "TooManyRequests" ? error.share_url : undefined
  const link = share === undefined ? "" : `<p><a href="${escaped(share)}">The report that there is</a></p>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not audited</title></head>`
    + `<body><main><h1>Not audited</h1><p>${escaped(error.error)}</p>${link}<p><a href="/">Back</a></p></main></body></html>\n`
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;" }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
