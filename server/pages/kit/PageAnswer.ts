import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { renderPage, type VNode } from "../../../engine/report/html/Html.ts"
import { CachedResponse } from "../../response/ResponseCache.ts"

/** Headers of every page, beside those of every response (`CommonHeaders.ts`). Only what this service serves, and nothing inline. */
export const PAGE_HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
} as const

interface PageOptions {
  /** 200 by default. */
  readonly status?: number
  /** `no-cache` by default: clients revalidate it each time. */
  readonly cacheControl?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The page as a response that can be cached. */
export const finishedPage = (
  page: VNode,
  { cacheControl = "no-cache", headers = {}, status = 200 }: PageOptions = {}
): CachedResponse =>
  new CachedResponse(renderPage(page), {
    type: "text/html; charset=utf-8",
    status,
    headers: { "cache-control": cacheControl, ...PAGE_HEADERS, ...headers }
  })

/** Responds with a page that was rendered for this request, with a strong tag, or a 304 if the client has it. */
export const pageAnswer = (
  request: HttpServerRequest,
  page: VNode,
  options: PageOptions = {}
): Effect.Effect<HttpServerResponse> => finishedPage(page, options).to(request)
