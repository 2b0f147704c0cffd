import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { prefersHtml } from "../../response/Negotiation.ts"
import type { PageRenderer } from "./PageRenderer.ts"

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
