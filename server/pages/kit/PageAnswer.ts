import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { render } from "preact-render-to-string"
import type { VNode } from "./Html.ts"
import { LastingContent } from "./LastingContent.ts"

/** What a page may load and where it may send: this service alone, and nothing inline. */
export const PAGE_CSP =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export interface PageOptions {
  /** 200 unless given. */
  readonly status?: number
  /** `no-cache` unless given: kept, and asked after each time. */
  readonly cacheControl?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Instead of `PAGE_CSP`. */
  readonly csp?: string
}

/** The page as text of HTML. */
export const renderPage = (page: VNode): string => `<!doctype html>\n${render(page)}\n`

/** The page as it is sent to whoever asks for it; to be kept where it is asked for again and again. */
export const finishedPage = (page: VNode, { cacheControl = "no-cache", csp = PAGE_CSP, headers = {}, status = 200 }: PageOptions = {}): LastingContent =>
  new LastingContent(renderPage(page), {
    type: "text/html; charset=utf-8",
    status,
    headers: { "cache-control": cacheControl, "content-security-policy": csp, ...headers }
  })

/** Answers with a page that was made for this request: with a strong tag, or 304 where the client has it. */
export const pageAnswer = (request: HttpServerRequest, page: VNode, options: PageOptions = {}): Effect.Effect<HttpServerResponse> =>
  finishedPage(page, options).to(request)
