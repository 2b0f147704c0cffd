import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { RubricInForce } from "../config/RubricInForce.ts"
import { PageRenderer } from "../http/errors/ErrorResponses.ts"
import { imageRoutes } from "../images/ImageRoutes.ts"
import { browseRoutes } from "./browse/BrowseRoutes.ts"
import { calculatorRoutes } from "./calculator/CalculatorRoutes.ts"
import { compareRoutes } from "./compare/CompareRoutes.ts"
import { dashboardRoutes } from "./dashboard/DashboardRoutes.ts"
import { discoveryRoutes } from "./discovery/DiscoveryRoutes.ts"
import { DocsPages } from "./docs/DocsBook.ts"
import { docsRoutes } from "./docs/DocsRoutes.ts"
import { feedRoutes } from "./feeds/FeedRoutes.ts"
import { fixRoutes } from "./fix/FixRoutes.ts"
import { homePage, homeRoutes } from "./home/HomeRoutes.ts"
import { assetRoutes } from "./kit/AssetRoutes.ts"
import { noticeResponse } from "./kit/NoticePage.ts"
import { PAGE_HEADERS } from "./kit/PageAnswer.ts"
import { renderPage } from "../../engine/report/html/Html.ts"
import { reportRoutes } from "./report/ReportRoutes.ts"
import { rubricRoutes } from "./rubric/RubricRoutes.ts"

const documentation = Layer.mergeAll(docsRoutes, discoveryRoutes).pipe(Layer.provide(DocsPages.layer))

/** Everything that people see, and the files that it needs. */
export const pageRoutes = Layer.mergeAll(
  assetRoutes,
  browseRoutes,
  calculatorRoutes,
  compareRoutes,
  dashboardRoutes,
  documentation,
  feedRoutes,
  fixRoutes,
  homeRoutes,
  imageRoutes,
  reportRoutes,
  rubricRoutes
)

/** Errors as pages of this service. */
export const layerPageRenderer: Layer.Layer<PageRenderer, never, RubricInForce> = Layer.effect(
  PageRenderer,
  Effect.map(RubricInForce, ({ rubric: { categories } }) => ({
    notice: noticeResponse,
    refusedForm: (status, refusal, headers) =>
      HttpServerResponse.text(renderPage(homePage({ categories, teaser: null, refusal })), {
        status,
        contentType: "text/html; charset=utf-8",
        headers: { "cache-control": "no-store", ...PAGE_HEADERS, ...headers }
      })
  }))
)
