import * as Context from "effect/Context"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { OwnerVerification } from "../../../engine/limit/LimitDecision.ts"
import { type OwnerProof, UNAVAILABLE_SECONDS } from "../../api/Errors.ts"
import { JSON_TYPE, isShared, PREFLIGHT_HEADERS } from "../../response/CommonHeaders.ts"
import { prefersHtml } from "../../response/Negotiation.ts"
import { requestPath } from "../request/RequestIds.ts"

type HeaderRecord = Readonly<Record<string, string>>

/** The audit form after a refusal. */
export interface RefusedForm {
  /** Why the audit was refused. */
  readonly text: string
  /** What the user typed. */
  readonly typed: string
  /** The path of a report of the same site, where there is one. */
  readonly report?: string
  /** Whole seconds until the next audit is possible. */
  readonly retryAfter?: number
  /** How the site's owner can have it audited more often. */
  readonly verification?: OwnerVerification
  /** How the site's owner proves to be the one who asks. */
  readonly ownership?: OwnerProof
}

/** Renders the pages that HTTP errors are shown on. The pages provide it, so that HTTP does not depend on them. */
export class PageRenderer extends Context.Service<
  PageRenderer,
  {
    readonly notice: (
      status: number,
      notice: { readonly title: string; readonly text: string },
      headers: HeaderRecord
    ) => HttpServerResponse.HttpServerResponse
    readonly refusedForm: (
      status: number,
      refusal: RefusedForm,
      headers: HeaderRecord
    ) => HttpServerResponse.HttpServerResponse
  }
>()("docgauge/server/http/PageRenderer") {}

/** An error as a page for people and as JSON for programs, with the same status. */
export interface ErrorDescription {
  readonly status: number
  readonly page: { readonly title: string; readonly text: string }
  readonly json: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The error in the form that the client prefers. */
export const errorResponse = (
  renderPage: PageRenderer["Service"]["notice"],
  request: HttpServerRequest,
  { headers = {}, json, page, status }: ErrorDescription
): HttpServerResponse.HttpServerResponse =>
  prefersHtml(request)
    ? renderPage(status, page, headers)
    : HttpServerResponse.text(JSON.stringify(json), { status, contentType: JSON_TYPE, headers })

/** 404: the path is unknown. */
export const NOT_FOUND: ErrorDescription = {
  status: 404,
  page: { title: "Page not found", text: "Check the URL, or start from the home page." },
  json: { error: "Nothing found at this URL.", code: "not_found" }
}

/** The response to `OPTIONS` where no route has that method; `null` for other methods and unknown paths. */
export const optionsResponse = (
  request: HttpServerRequest,
  allowed: ReadonlyArray<string>
): HttpServerResponse.HttpServerResponse | null => {
  if (request.method !== "OPTIONS") return null
  if (request.url === "*")
    return HttpServerResponse.empty({ status: 204, headers: { allow: "GET, HEAD, POST, OPTIONS" } })
  if (allowed.length === 0) return null
  const headers = { allow: allowed.join(", ") }
  return HttpServerResponse.empty({
    status: 204,
    headers: isShared(requestPath(request.url)) ? { ...headers, ...PREFLIGHT_HEADERS } : headers
  })
}

/** No route: 404 where the path is unknown (`allowed` is empty), 405 where it has other methods. */
export const noRoute = (allowed: ReadonlyArray<string>): ErrorDescription => {
  if (allowed.length === 0) return NOT_FOUND
  const allow = allowed.join(", ")
  const text = `Allowed methods at this URL: ${allow}.`
  return {
    status: 405,
    page: { title: "Method not allowed", text },
    json: { error: text, code: "method_not_allowed" },
    headers: { allow }
  }
}

/** 421: the request is for another host (RFC 9110 §15.5.20), as in DNS rebinding. */
export const misdirected = (baseUrl: string): ErrorDescription => {
  const text = `This service does not accept that host name. Use ${baseUrl}, or set DOCGAUGE_BASE_URL to the URL that you use.`
  return {
    status: 421,
    page: { title: "Wrong host name", text },
    json: { error: text },
    headers: { "cache-control": "no-store" }
  }
}

/** 400: several `Host` fields (RFC 9112 §3.2), of which Node shows only one. */
export const SEVERAL_HOSTS: ErrorDescription = {
  status: 400,
  page: { title: "Bad request", text: "The request has more than one Host header." },
  json: { error: "The request has more than one Host header." },
  headers: { "cache-control": "no-store", connection: "close" }
}

const RESTARTING = `The service is restarting. Try again in ${UNAVAILABLE_SECONDS} seconds.`

/** 503: the service stopped during the request. The next process continues accepted runs. */
export const STOPPING: ErrorDescription = {
  status: 503,
  page: { title: "The service is restarting", text: RESTARTING },
  json: { error: RESTARTING },
  headers: { "cache-control": "no-store", "retry-after": String(UNAVAILABLE_SECONDS) }
}

/** 500: shows nothing of the failure but the id under which it was logged. */
export const internalError = (id: string): ErrorDescription => ({
  status: 500,
  page: {
    title: "Something went wrong",
    text: `This is our fault, not yours. We logged it as ${id}. Try again in a moment.`
  },
  json: { error: "Something went wrong on our side. It has been logged.", code: "internal", request_id: id }
})
