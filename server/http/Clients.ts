import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type Client, clientOf } from "../../engine/limit/ClientAddress.ts"
import { trustedProxies } from "../Settings.ts"

/** Tells who sent a request, as far as limits are concerned. */
export class Clients extends Context.Service<Clients, {
  readonly of: (request: HttpServerRequest) => Client
}>()("docgauge/server/Clients") {
  static readonly layer: Layer.Layer<Clients, Config.ConfigError> = Layer.effect(
    Clients,
    Effect.gen(function*() {
      const proxies = yield* trustedProxies
      const warn = Effect.runForkWith(yield* Effect.context())
      const remembered = new Map<string, Client>()
      let warned = false

      const warnOnce = (): void => {
        warned = true
        warn(Effect.logWarning("X-Forwarded-For arrives, and DOCGAUGE_TRUST_PROXY is 0: all clients behind that proxy share its limits"))
      }

      /** Addresses are dear to read, and the same ones come again and again. */
      const remember = (key: string, client: Client): Client => {
        if (remembered.size >= REMEMBERED) remembered.clear()
        remembered.set(key, client)
        return client
      }

      return {
        of: (request) => {
          const peer = Option.getOrNull(request.remoteAddress)
          const forwardedFor = request.headers["x-forwarded-for"] ?? null
          if (proxies > 0) return clientOf({ peer, forwardedFor }, proxies)
          if (forwardedFor !== null && !warned) warnOnce()
          const key = peer ?? ""
          return remembered.get(key) ?? remember(key, clientOf({ peer, forwardedFor: null }, 0))
        }
      }
    })
  )
}

const REMEMBERED = 10_000
