import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type ErrorDescription, errorResponse } from "../../http/errors/ErrorResponse.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { type Content, html, type VNode } from "./Html.ts"
import { layout } from "./Layout.ts"
import { PAGE_CSP, renderPage } from "./PageAnswer.ts"

/** A message instead of the requested page. */
export interface Notice {
  readonly title: string
  readonly text: string
  /** More content, such as links; a link to the home page is always shown. */
  readonly more?: Content
  /** Whole seconds after which the page asks again by itself. */
  readonly againIn?: number
}

const noticePage = ({ againIn, more = null, text, title }: Notice): VNode =>
  layout({
    title,
    path: "",
    robots: "noindex",
    ...(againIn === undefined
      ? {}
      : { scripts: ["again.js"], head: html`<noscript><meta http-equiv="refresh" content=${againIn}/></noscript>` }),
    content: html`<div class="notice-page">
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${againIn === undefined ? null : html`<p class="soft">This page reloads in <span class="count-down" data-again=${againIn}>${counted(againIn, "second")}</span>.</p>`}
      ${more}
      <p><a href="/">Audit a documentation site</a></p>
    </div>`
  })

/** A notice as a response that is never stored. */
export const noticeResponse = (
  status: number,
  notice: Notice,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(renderPage(noticePage(notice)), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "no-store", "content-security-policy": PAGE_CSP, ...headers }
  })

/** An error as a page or as JSON, whichever the client prefers. */
export const errorPage = (request: HttpServerRequest, error: ErrorDescription): HttpServerResponse.HttpServerResponse =>
  errorResponse(noticeResponse, request, error)
