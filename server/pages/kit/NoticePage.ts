import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Content, html, type VNode } from "./Html.ts"
import { layout } from "./Layout.ts"
import { PAGE_CSP, renderPage } from "./PageAnswer.ts"

/** Something to tell instead of what was asked for. */
export interface Notice {
  readonly title: string
  readonly text: string
  /** What else to show: where to go from here. A way to the start is always there. */
  readonly more?: Content
}

/** A page that says why there is nothing else to see. */
export const noticePage = ({ more = null, text, title }: Notice): VNode =>
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

/** The same as an answer with a status; never kept. */
export const noticeAnswer = (status: number, notice: Notice, headers: Readonly<Record<string, string>> = {}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(renderPage(noticePage(notice)), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "no-store", "content-security-policy": PAGE_CSP, ...headers }
  })
