import * as Layer from "effect/Layer"
import { assetRoutes } from "./kit/AssetRoutes.ts"
import { browseRoutes } from "./browse/BrowseRoutes.ts"
import { calculatorRoutes } from "./calculator/CalculatorRoutes.ts"
import { compareRoutes } from "./compare/CompareRoutes.ts"
import { dashboardRoutes } from "./dashboard/DashboardRoutes.ts"
import { fixRoutes } from "./fix/FixRoutes.ts"
import { homeRoutes } from "./home/HomeRoutes.ts"
import { discoveryRoutes } from "./discovery/DiscoveryRoutes.ts"
import { DocsPages } from "./docs/DocsPages.ts"
import { docsRoutes } from "./docs/DocsRoutes.ts"
import { imageRoutes } from "../images/ImageRoutes.ts"
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
  fixRoutes,
  homeRoutes,
  imageRoutes,
  reportRoutes,
  rubricRoutes
)
