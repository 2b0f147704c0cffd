import * as Context from "effect/Context"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { OwnerVerification } from "../../../engine/limit/LimitDecision.ts"
import type { OwnerProof } from "../../api/Errors.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { prefersHtml } from "../../response/Negotiation.ts"

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
