import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { nothingHere } from "../http/NoRoute.ts"
import { packageFiles } from "../PackageFiles.ts"
import { type AssetName, assetPath, assetText } from "./kit/Assets.ts"
import { LastingContent } from "./kit/LastingContent.ts"

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8"
}

/** The address has the content's hash in it: what is there never changes. */
const HEADERS = { "cache-control": "public, max-age=31536000, immutable" }

const isAsset = (name: string): name is AssetName => /^[\w.-]+\.(?:css|js)$/.test(name)

/** GET /assets/{name}-{hash}.{ext}: read and compressed when first asked for. */
export const assetRoutes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const made = new Map<string, LastingContent>()
    const names = new Map(packageFiles().filter(isAsset).map((name) => [assetPath(name), name]))

    const find = (path: string): LastingContent | null => {
      const name = names.get(path)
      if (name === undefined) return null
      const content = made.get(path) ?? new LastingContent(assetText(name), { type: TYPES[name.split(".").at(-1) ?? ""] ?? "", headers: HEADERS })
      made.set(path, content)
      return content
    }

    yield* router.add("GET", "/assets/:file", Effect.gen(function*() {
      const request = yield* HttpServerRequest
      const { file = "" } = yield* HttpRouter.params
      const content = find(`/assets/${file}`)
      return content === null ? nothingHere(request) : yield* content.to(request)
    }))
  }))
