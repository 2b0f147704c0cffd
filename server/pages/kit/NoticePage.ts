import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type ErrorDescription, errorResponse } from "../../http/errors/ErrorResponse.ts"
import { type Content, html, type VNode } from "./Html.ts"
import { layout } from "./Layout.ts"
import { PAGE_CSP, renderPage } from "./PageAnswer.ts"

/** A message instead of the requested page. */
export interface Notice {
  readonly title: string
  readonly text: string
  /** More content, such as links; a link to the home page is always shown. */
  readonly more?: Content
}

const noticePage = ({ more = null, text, title }: Notice): VNode =>
  layout({
    title,
    path: "",
    robots: "noindex",
    content: html`<div class="notice-page">
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${more}
      <p><a href="/">Audit a documentation site</a></p>
    </div>`
  })

/** A notice as a response that is never stored. */
export const noticeResponse = (status: number, notice: Notice, headers: Readonly<Record<string, string>> = {}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(renderPage(noticePage(notice)), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "no-store", "content-security-policy": PAGE_CSP, ...headers }
  })

/** An error as a page or as JSON, whichever the client prefers. */
export const errorPage = (request: HttpServerRequest, error: ErrorDescription): HttpServerResponse.HttpServerResponse =>
  errorResponse(noticeResponse, request, error)
