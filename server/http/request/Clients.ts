import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type Client, clientOf } from "../../../engine/limit/ClientAddress.ts"
import { trustedProxies } from "../../config/Settings.ts"

/** Identifies the client of a request for rate limits. */
export class Clients extends Context.Service<
  Clients,
  {
    readonly of: (request: HttpServerRequest) => Client
    /** The scheme of the URL that the client asked for, as the proxy before us says if it is trusted. */
    readonly scheme: (request: HttpServerRequest) => "http" | "https"
  }
>()("docgauge/server/Clients") {
  static readonly layer: Layer.Layer<Clients, Config.ConfigError> = Layer.effect(
    Clients,
    Effect.gen(function* () {
      const proxies = yield* trustedProxies
      const warn = Effect.runForkWith(yield* Effect.context())
      let warned = false

      const warnOnce = (): void => {
        warned = true
        warn(
          Effect.logWarning(
            "requests have X-Forwarded-For, but DOCGAUGE_TRUST_PROXY is 0: all clients behind that proxy share one rate limit"
          )
        )
      }

      return {
        scheme: ({ headers }) => {
          const forwarded = proxies > 0 ? headers["x-forwarded-proto"]?.split(",").at(-1)?.trim() : undefined
          return forwarded?.toLowerCase() === "https" ? "https" : "http"
        },
        of: (request) => {
          const peer = Option.getOrNull(request.remoteAddress)
          const forwardedFor = request.headers["x-forwarded-for"] ?? null
          if (proxies > 0) return clientOf({ peer, forwardedFor }, proxies)
          if (forwardedFor !== null && !warned) warnOnce()
          return clientOf({ peer, forwardedFor: null }, 0)
        }
      }
    })
  )
}

/** What `Sec-Fetch-Site` says of requests that our own pages, their neighbours or people send (W3C Fetch Metadata). */
const OWN: ReadonlySet<string> = new Set(["same-origin", "same-site", "none"])

/**
 * Whether a page of another site had a browser send the request. Browsers say so in `Sec-Fetch-Site`, which no script can
 * change; those that do not send it name the page's origin, which has to be the host that is asked, or that of `baseUrl`
 * (a proxy may have changed `Host`). Programs send neither.
 */
export const isFromForeignPage = ({ headers }: HttpServerRequest, baseUrl: string): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return !OWN.has(site)
  const { host, origin } = headers
  if (origin === undefined) return false
  const page = URL.parse(origin)
  return (
    page === null ||
    (page.host !== URL.parse(`${page.protocol}//${host ?? ""}`)?.host && page.origin !== new URL(baseUrl).origin)
  )
}
