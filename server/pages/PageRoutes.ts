import * as Layer from "effect/Layer"
import { assetRoutes } from "./AssetRoutes.ts"
import { browseRoutes } from "./BrowseRoutes.ts"
import { homeRoutes } from "./HomeRoutes.ts"
import { imageRoutes } from "./ImageRoutes.ts"
import { KeptPages } from "./kit/KeptPages.ts"

/** Everything that people see, and the files that it needs. */
export const pageRoutes = Layer.mergeAll(
  assetRoutes,
  browseRoutes,
  homeRoutes,
  imageRoutes
).pipe(Layer.provide(KeptPages.layer))
