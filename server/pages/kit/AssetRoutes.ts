import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { NOT_FOUND } from "../../http/errors/NotFound.ts"
import { errorPage } from "./NoticePage.ts"
import { assetsByPath, assetText } from "./Assets.ts"
import { CachedResponse } from "../../response/CachedResponse.ts"

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8"
}

/** The URL contains the content's hash, so its content never changes. */
const HEADERS = { "cache-control": "public, max-age=31536000, immutable" }

/** GET /assets/{name}-{hash}.{ext}: read and compressed when first asked for. */
export const assetRoutes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const made = new Map<string, CachedResponse>()

    const find = (path: string): CachedResponse | null => {
      const name = assetsByPath.get(path)
      if (name === undefined) return null
      const content = made.get(path) ?? new CachedResponse(assetText(name), { type: TYPES[name.split(".").at(-1) ?? ""] ?? "", headers: HEADERS })
      made.set(path, content)
      return content
    }

    yield* router.add("GET", "/assets/:file", Effect.gen(function*() {
      const request = yield* HttpServerRequest
      const { file = "" } = yield* HttpRouter.params
      const content = find(`/assets/${file}`)
      return content === null ? errorPage(request, NOT_FOUND) : yield* content.to(request)
    }))
  }))
