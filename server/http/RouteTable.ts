import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Context from "effect/Context"
import * as FindMyWay from "effect/http/FindMyWay"
import * as HttpRouter from "effect/http/HttpRouter"

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** Which methods the routes of this service have. */
export class RouteTable extends Context.Service<
  RouteTable,
  {
    /** As `Allow` lists them; empty where there is no such path. */
    readonly allowed: (url: string) => ReadonlyArray<string>
  }
>()("docgauge/server/RouteTable") {}

/** Paths are case-sensitive. Parameters may be as long as a URL can be, so that long invalid ids get a 400. */
const CONFIG = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: true,
  maxParamLength: 16 * 1_024
}

/** A router that records its routes as they are added. */
export const layerRouter: Layer.Layer<HttpRouter.HttpRouter | RouteTable> = Layer.effectContext(
  Effect.gen(function* () {
    const router = yield* HttpRouter.make
    const noted = FindMyWay.make<true>(CONFIG)
    const note = (method: string, path: HttpRouter.PathInput): void => {
      for (const one of method === "*" ? METHODS : [method]) if (!noted.has(one, path)) noted.on(one, path, true)
    }
    const noting = HttpRouter.HttpRouter.of({
      ...router,
      addAll: (routes) => {
        for (const { method, path } of routes) note(method, path)
        return router.addAll(routes)
      },
      add: (method, path, handler, options) => {
        note(method, path)
        return router.add(method, path, handler, options)
      }
    })
    const table = {
      allowed: (url: string) => {
        const found = METHODS.filter((method) => noted.find(method, url) !== undefined)
        if (found.length === 0) return []
        return [
          ...(found.includes("GET") ? ["GET", "HEAD"] : []),
          ...found.filter((method) => method !== "GET"),
          "OPTIONS"
        ]
      }
    }
    return Context.make(HttpRouter.HttpRouter, noting).pipe(Context.add(RouteTable, table))
  }).pipe(Effect.provideService(HttpRouter.RouterConfig, CONFIG))
)
