import * as Layer from "effect/Layer"
import { assetRoutes } from "./AssetRoutes.ts"
import { browseRoutes } from "./BrowseRoutes.ts"
import { homeRoutes } from "./HomeRoutes.ts"
import { DocsPages } from "./docs/DocsPages.ts"
import { discoveryRoutes } from "./DiscoveryRoutes.ts"
import { docsRoutes } from "./DocsRoutes.ts"
import { imageRoutes } from "./ImageRoutes.ts"
import { KeptPages } from "./kit/KeptPages.ts"

const documentation = Layer.mergeAll(docsRoutes, discoveryRoutes).pipe(Layer.provide(DocsPages.layer))

/** Everything that people see, and the files that it needs. */
export const pageRoutes = Layer.mergeAll(
  assetRoutes,
  browseRoutes,
  documentation,
  homeRoutes,
  imageRoutes
).pipe(Layer.provide(KeptPages.layer))
