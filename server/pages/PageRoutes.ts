import * as Layer from "effect/Layer"
import { assetRoutes } from "./AssetRoutes.ts"
import { browseRoutes } from "./BrowseRoutes.ts"
import { dashboardRoutes } from "./DashboardRoutes.ts"
import { homeRoutes } from "./HomeRoutes.ts"
import { discoveryRoutes } from "./DiscoveryRoutes.ts"
import { DocsPages } from "./docs/DocsPages.ts"
import { docsRoutes } from "./DocsRoutes.ts"
import { imageRoutes } from "./ImageRoutes.ts"
import { KeptPages } from "./kit/KeptPages.ts"
import { reportRoutes } from "./ReportRoutes.ts"
import { rubricRoutes } from "./RubricRoutes.ts"

const documentation = Layer.mergeAll(docsRoutes, discoveryRoutes).pipe(Layer.provide(DocsPages.layer))

/** Everything that people see, and the files that it needs. */
export const pageRoutes = Layer.mergeAll(
  assetRoutes,
  browseRoutes,
  dashboardRoutes,
  documentation,
  homeRoutes,
  imageRoutes,
  reportRoutes,
  rubricRoutes
).pipe(Layer.provide(KeptPages.layer))
