import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { NOT_FOUND } from "../../http/errors/ErrorResponses.ts"
import { errorPage } from "./NoticePage.ts"
import { assetBytes, assetsByPath, assetText } from "./Assets.ts"
import { CachedResponse } from "../../response/ResponseCache.ts"

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  png: "image/png",
  ico: "image/vnd.microsoft.icon",
  woff2: "font/woff2"
}

/** Files of these types are compressed already. */
const COMPRESSED = /\.(?:png|ico|woff2)$/

const contentOf = (name: string): string | Uint8Array => (COMPRESSED.test(name) ? assetBytes(name) : assetText(name))

/** Browsers and feed readers ask for the icon at this path, whatever a page says. */
const ICON_HEADERS = { "cache-control": "public, max-age=86400" }

/** The URL contains the content's hash, so its content never changes. */
const HEADERS = { "cache-control": "public, max-age=31536000, immutable" }

/** GET /assets/{name}-{hash}.{ext}: read and compressed when first asked for. GET /favicon.ico. */
export const assetRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const made = new Map<string, CachedResponse>()

    const find = (path: string): CachedResponse | null => {
      const name = assetsByPath.get(path)
      if (name === undefined) return null
      const content =
        made.get(path) ??
        new CachedResponse(contentOf(name), { type: TYPES[name.split(".").at(-1) ?? ""] ?? "", headers: HEADERS })
      made.set(path, content)
      return content
    }

    yield* router.add(
      "GET",
      "/assets/:file",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { file = "" } = yield* HttpRouter.params
        const content = find(`/assets/${file}`)
        return content === null ? errorPage(request, NOT_FOUND) : yield* content.to(request)
      })
    )
    const icon = yield* Effect.cached(
      Effect.sync(
        () => new CachedResponse(assetBytes("favicon.ico"), { type: TYPES["ico"] ?? "", headers: ICON_HEADERS })
      )
    )
    yield* router.add(
      "GET",
      "/favicon.ico",
      Effect.flatMap(HttpServerRequest, (request) => Effect.flatMap(icon, (content) => content.to(request)))
    )
  })
)
