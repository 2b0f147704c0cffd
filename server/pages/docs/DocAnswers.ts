import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { VNode } from "../kit/Html.ts"
import { LastingContent } from "../kit/LastingContent.ts"
import { PAGE_CSP, renderPage } from "../kit/PageAnswer.ts"
import type { Doc } from "./DocsBook.ts"
import { pathOf } from "./DocPage.ts"
import { once } from "./Once.ts"
import { prefersMarkdown } from "./Preference.ts"

const MARKDOWN_TYPE = "text/markdown; charset=utf-8"

/** A page and its twin, rendered when they are first asked for and kept. */
export interface DocAnswers {
  /** The page, or its Markdown for whoever prefers that. */
  readonly page: (request: HttpServerRequest) => Effect.Effect<HttpServerResponse>
  readonly markdown: (request: HttpServerRequest) => Effect.Effect<HttpServerResponse>
}

/** @param csp instead of that of all pages. */
export const docAnswers = (doc: Doc, render: () => VNode, csp = PAGE_CSP): DocAnswers => {
  const headers = {
    "last-modified": new Date(doc.updated).toUTCString(),
    link: [
      "</openapi.json>; rel=\"service-desc\"; type=\"application/vnd.oai.openapi+json\"",
      "</llms.txt>; rel=\"llms-txt\"; type=\"text/markdown\"",
      `<${pathOf(doc.markdownUrl)}>; rel="alternate"; type="text/markdown"`
    ].join(", ")
  }
  const page = once(() => new LastingContent(renderPage(render()), {
    type: "text/html; charset=utf-8",
    headers: { ...headers, vary: "Accept", "content-security-policy": csp }
  }))
  const negotiated = once(() => new LastingContent(doc.markdown(), { type: MARKDOWN_TYPE, headers: { ...headers, vary: "Accept" } }))
  const markdown = once(() => new LastingContent(doc.markdown(), { type: MARKDOWN_TYPE, headers }))
  return {
    page: (request) => (prefersMarkdown(request.headers["accept"]) ? negotiated() : page()).to(request),
    markdown: (request) => markdown().to(request)
  }
}
