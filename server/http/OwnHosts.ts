import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { withoutFinalDots } from "../../engine/evidence/HostName.ts"
import { addresses, host, isLoopback, reach } from "../Settings.ts"
import { pathOf } from "./Paths.ts"

/** Under which host names this service answers, and to whom. */
export interface OwnHosts {
  /** Whether a request is addressed to this service. */
  readonly answers: (request: HttpServerRequest) => boolean
  /** Whether pages of any origin may read what is public in the answer (CORS). */
  readonly isShared: (request: HttpServerRequest) => boolean
}

/** What `Host` says, as far as we care. */
type Name = "own" | "loopback" | "other"

/** `Host` values that are remembered: nearly all requests have one of a few. */
const REMEMBERED = 1_000

/**
 * A service that listens on loopback, or audits private addresses, can reach what its users' browsers are kept from: it must
 * not be a way for web pages to get there. A page may have its own name lead to 127.0.0.1 (DNS rebinding), so requests count
 * only under the names of the base, docs and MCP URLs, and those of loopback; and pages of other origins read nothing of
 * what comes from loopback. Health and metrics answer under any name: what asks for them may know an address only.
 */
export const makeOwnHosts = Effect.gen(function*() {
  const { allowPrivate } = yield* reach
  const listensLocally = isLoopback(yield* host)
  const { base, docs, mcp } = yield* addresses
  const own = new Set([base, docs, mcp].map((url) => new URL(url).hostname))
  const names = new Map<string, Name>()

  const nameOf = ({ headers }: HttpServerRequest): Name => {
    const given = headers["host"] ?? ""
    const known = names.get(given)
    if (known !== undefined) return known
    const hostname = hostnameIn(given)
    const name = isLoopbackName(hostname) ? "loopback" : own.has(hostname) ? "own" : "other"
    if (names.size >= REMEMBERED) names.clear()
    names.set(given, name)
    return name
  }

  const bound: OwnHosts = {
    answers: (request) => nameOf(request) !== "other" || isForMonitors(pathOf(request.url)),
    isShared: (request) => !allowPrivate && nameOf(request) === "own"
  }
  return listensLocally || allowPrivate ? bound : UNBOUND
})

const UNBOUND: OwnHosts = { answers: () => true, isShared: () => true }

/** `localhost`, `app.localhost`, `127.0.0.1`, `[::1]`. */
const isLoopbackName = (hostname: string): boolean => isLoopback(hostname) || hostname.endsWith(".localhost")

/** The host in a `Host` header, as URLs have it; empty where there is none. */
const hostnameIn = (header: string): string =>
  /^[^\s/\\?#@]+$/.test(header) ? withoutFinalDots(URL.parse(`http://${header}/`)?.hostname ?? "") : ""

const isForMonitors = (path: string): boolean => path === "/healthz" || path === "/healthz/live" || path === "/metrics"
