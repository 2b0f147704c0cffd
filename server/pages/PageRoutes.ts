import * as Layer from "effect/Layer"
import { browseRoutes } from "./BrowseRoutes.ts"
import { imageRoutes } from "./ImageRoutes.ts"
import { assetRoutes } from "./kit/Assets.ts"
import { KeptPages } from "./kit/KeptPages.ts"

/** Everything that people see, and the files that it needs. */
export const pageRoutes = Layer.mergeAll(
  assetRoutes,
  browseRoutes,
  imageRoutes
).pipe(Layer.provide(KeptPages.layer))
