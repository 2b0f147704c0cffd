import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import type { NotFound, Unprocessable } from "../../api/Errors.ts"
import { errorPage } from "./NoticePage.ts"

/** 400: the id of a run is not a UUID. */
export const noUuid = (request: HttpServerRequest): HttpServerResponse =>
  errorPage(request, {
    status: 400,
    page: {
      title: "This is not the URL of a report",
      text: "A report's URL ends in an identifier such as 01938c2e-7b1a-7c3e-9d2f-4a5b6c7d8e9f. Check this one for typos."
    },
    json: { error: "The identifier of a run has to be a UUID." }
  })

/** 422: the run has no report yet, or ended without one. */
export const notDone = (request: HttpServerRequest): HttpServerResponse =>
  errorPage(request, {
    status: 422,
    page: { title: "No report yet", text: "The audit is still running, or it ended without a report." },
    json: { error: "The run has not finished.", code: "not_done" }
  })

/** Errors of the contract as pages or JSON. */
export const refusedAsTold = (
  request: HttpServerRequest,
  answer: Effect.Effect<HttpServerResponse, NotFound | Unprocessable | StoreUnavailable>
): Effect.Effect<HttpServerResponse, StoreUnavailable> =>
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
