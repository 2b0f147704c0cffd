import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { RubricInForce } from "../config/RubricInForce.ts"
import { PageRenderer } from "../http/errors/PageRenderer.ts"
import { homePage } from "./home/HomePage.ts"
import { noticeResponse } from "./kit/NoticePage.ts"
import { PAGE_CSP, renderPage } from "./kit/PageAnswer.ts"

/** Errors as pages of this service. */
export const layerPageRenderer: Layer.Layer<PageRenderer, never, RubricInForce> = Layer.effect(
  PageRenderer,
  Effect.map(RubricInForce, ({ rubric: { categories } }) => ({
    notice: noticeResponse,
    refusedForm: (status, refusal, headers) =>
      HttpServerResponse.text(renderPage(homePage({ categories, teaser: null, refusal })), {
        status,
        contentType: "text/html; charset=utf-8",
        headers: { "cache-control": "no-store", "content-security-policy": PAGE_CSP, ...headers }
      })
  }))
)
