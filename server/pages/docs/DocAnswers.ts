import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { MARKDOWN_TYPE } from "../../../engine/text/HttpValues.ts"
import { CachedResponse } from "../../response/CachedResponse.ts"
import { prefersMarkdown } from "../../response/Negotiation.ts"
import type { ResponseCache } from "../../response/ResponseCache.ts"
import type { VNode } from "../kit/Html.ts"
import { PAGE_CSP, renderPage } from "../kit/PageAnswer.ts"
import type { Doc } from "./DocsBook.ts"
import { pathOf } from "./DocPage.ts"

/** A page of the documentation and its Markdown version. */
export interface DocAnswers {
  /** The page, or its Markdown version for clients that prefer it. */
  readonly page: (request: HttpServerRequest) => Effect.Effect<HttpServerResponse>
  readonly markdown: (request: HttpServerRequest) => Effect.Effect<HttpServerResponse>
}

export interface RenderedDoc {
  readonly doc: Doc
  readonly render: () => VNode
}

/** Responses for the page at `path`, rendered when they are not cached. */
export const docAnswers = (
  responses: ResponseCache["Service"],
  path: string,
  rendered: Effect.Effect<RenderedDoc>
): DocAnswers => {
  const cached = (
    form: string,
    make: (rendered: RenderedDoc, headers: Readonly<Record<string, string>>) => CachedResponse
  ) =>
    responses.get(
      `docs ${form} ${path}`,
      CachedResponse,
      Effect.map(rendered, (made) => make(made, headersOf(made.doc)))
    )

  const html = cached(
    "html",
    ({ render }, headers) =>
      new CachedResponse(renderPage(render()), {
        type: "text/html; charset=utf-8",
        headers: { ...headers, vary: "Accept", "content-security-policy": PAGE_CSP }
      })
  )
  const markdownOf = (doc: Doc, { link = "", ...headers }: Readonly<Record<string, string>>) =>
    new CachedResponse(doc.markdown(), {
      type: MARKDOWN_TYPE,
      headers: { ...headers, link: `<${doc.url}>; rel="canonical", ${link}` }
    })
  const negotiated = cached("negotiated", ({ doc }, headers) => markdownOf(doc, { ...headers, vary: "Accept" }))
  const markdown = cached("markdown", ({ doc }, headers) => markdownOf(doc, headers))
  return {
    page: (request) =>
      Effect.flatMap(prefersMarkdown(request.headers["accept"]) ? negotiated : html, (response) =>
        response.to(request)
      ),
    markdown: (request) => Effect.flatMap(markdown, (response) => response.to(request))
  }
}

const headersOf = (doc: Doc): Readonly<Record<string, string>> => ({
  "last-modified": new Date(doc.updated).toUTCString(),
  link: [
    '</openapi.json>; rel="service-desc"; type="application/vnd.oai.openapi+json"',
    '</llms.txt>; rel="llms-txt"; type="text/markdown"',
    // The relation of llms.txt v2; the one before is older and still looked for.
    '</llms.txt>; rel="describedby"; type="text/markdown"',
    `<${pathOf(doc.markdownUrl)}>; rel="alternate"; type="text/markdown"`
  ].join(", ")
})
