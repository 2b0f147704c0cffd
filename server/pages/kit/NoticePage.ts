import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { counted } from "../../../engine/plugin/Wording.ts"
import type { Client } from "../../../engine/limit/ClientAddress.ts"
import type { LimitDecision, LimitRefusal } from "../../../engine/limit/LimitDecision.ts"
import { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import type { NotFound, Unprocessable } from "../../api/Errors.ts"
import { type ErrorDescription, errorResponse } from "../../http/errors/ErrorResponses.ts"
import { orUnavailable, rateLimitResponse, tooManyRequests } from "../../http/errors/Refusals.ts"
import type { Clients } from "../../http/request/Clients.ts"
import { prefersHtml } from "../../response/Negotiation.ts"
import { type Content, html, renderPage, type VNode } from "../../../engine/report/html/Html.ts"
import { layout } from "./Layout.ts"
import { PAGE_HEADERS } from "./PageAnswer.ts"

/** A message instead of the requested page. */
interface Notice {
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
    headers: { "cache-control": "no-store", ...PAGE_HEADERS, ...headers }
  })

/** An error as a page or as JSON, whichever the client prefers. */
export const errorPage = (request: HttpServerRequest, error: ErrorDescription): HttpServerResponse.HttpServerResponse =>
  errorResponse(noticeResponse, request, error)

/** 400: the id of a run is not a UUID. */
export const noUuid = (request: HttpServerRequest): HttpServerResponse.HttpServerResponse =>
  errorPage(request, {
    status: 400,
    page: {
      title: "This is not the URL of a report",
      text: "A report's URL ends in an identifier such as 01938c2e-7b1a-7c3e-9d2f-4a5b6c7d8e9f. Check this one for typos."
    },
    json: { error: "The identifier of a run has to be a UUID." }
  })

/** 422: the run has no report yet, or ended without one. */
export const notDone = (request: HttpServerRequest): HttpServerResponse.HttpServerResponse =>
  errorPage(request, {
    status: 422,
    page: { title: "No report yet", text: "The audit is still running, or it ended without a report." },
    json: { error: "The run has not finished.", code: "not_done" }
  })

/** Errors of the contract as pages or JSON. */
export const refusedAsTold = (
  request: HttpServerRequest,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, NotFound | Unprocessable | StoreUnavailable>
): Effect.Effect<HttpServerResponse.HttpServerResponse, StoreUnavailable> =>
  Effect.catchTags(answer, {
    NotFound: ({ code, error }) =>
      Effect.succeed(
        errorPage(request, {
          status: 404,
          page: { title: "Report not found", text: "It may have been deleted, or the URL is wrong." },
          json: { error, ...(code === undefined ? {} : { code }) }
        })
      ),
    Unprocessable: ({ code, error }) =>
      Effect.succeed(
        errorPage(request, {
          status: 422,
          page: { title: "These audits cannot be compared", text: error },
          json: { error, ...(code === undefined ? {} : { code }) }
        })
      )
  })

/** The refusal of a limit as a page, which asks again by itself where that repeats nothing but a reading. */
const refusedPage = (request: HttpServerRequest, refusal: LimitRefusal): HttpServerResponse.HttpServerResponse => {
  const { error, rateLimit, rateLimitPolicy, retry_after: seconds } = tooManyRequests(refusal)
  return noticeResponse(
    429,
    { title: "Too many requests", text: error, ...(request.method === "GET" ? { againIn: seconds } : {}) },
    {
      "retry-after": String(seconds),
      ratelimit: rateLimit,
      "ratelimit-policy": rateLimitPolicy
    }
  )
}

/** The refusal of a limit, as a page or as JSON, whichever the client prefers. */
export const rateLimitedAnswer = (
  request: HttpServerRequest,
  refusal: LimitRefusal
): HttpServerResponse.HttpServerResponse =>
  prefersHtml(request) ? refusedPage(request, refusal) : rateLimitResponse(refusal)

/**
 * Applies a rate limit to pages; beyond it, or if the store is unavailable, responds with a page or with JSON, whichever the
 * client prefers.
 */
export const rateLimitedPage =
  (clients: Clients["Service"], limit: (client: Client) => Effect.Effect<LimitDecision>) =>
  <E, R>(
    request: HttpServerRequest,
    answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, Exclude<E, StoreUnavailable>, R> =>
    Effect.flatMap(limit(clients.of(request)), (verdict) => {
      if (verdict._tag === "Refusal") return Effect.succeed(rateLimitedAnswer(request, verdict))
      return toldUnavailable(request, answer)
    })

/** A 503 if the store is unavailable; the log has the reason. */
export const toldUnavailable = <E, R>(
  request: HttpServerRequest,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, Exclude<E, StoreUnavailable>, R> =>
  Effect.catch(answer, (error): Effect.Effect<HttpServerResponse.HttpServerResponse, Exclude<E, StoreUnavailable>> => {
    if (error instanceof StoreUnavailable) return unavailable(request, error)
    return isOther(error) ? Effect.fail(error) : Effect.die(error)
  })

const isOther = <E>(error: E): error is Exclude<E, StoreUnavailable> => !(error instanceof StoreUnavailable)

const unavailable = (
  request: HttpServerRequest,
  reason: StoreUnavailable
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.catch(orUnavailable(Effect.fail(reason)), ({ error }) =>
    Effect.succeed(
      errorPage(request, {
        status: 503,
        page: { title: "Temporarily unavailable", text: error },
        json: { error },
        headers: { "retry-after": "5" }
      })
    )
  )
