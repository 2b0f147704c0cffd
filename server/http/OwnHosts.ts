import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { withoutFinalDots } from "../../engine/evidence/Address.ts"
import { addresses, host, isLoopback, ownHostsOnly, reach } from "../config/Settings.ts"
import { requestPath } from "./request/RequestPath.ts"

/** The host names that this service accepts, and the origins that may read its responses. */
export interface OwnHosts {
  /** Whether the request names this service as its host. */
  readonly answers: (request: HttpServerRequest) => boolean
  /** Whether pages of any origin may read what is public in the answer (CORS). */
  readonly isShared: (request: HttpServerRequest) => boolean
}

/** The relevant parts of a request. */
type Name = "own" | "loopback" | "other"

/**
 * A service that listens on loopback, or audits private addresses, or is published on loopback alone (`DOCGAUGE_OWN_HOSTS_ONLY`,
 * as in a container, where it listens on all addresses), can reach what browsers keep web pages from, so it must not
 * become a way around that. A page may point its own name to 127.0.0.1 (DNS rebinding), so requests are accepted only under the
 * names of the base, docs and MCP URLs and those of loopback, and pages of other origins cannot read responses from loopback.
 * Health and metrics accept any name, because monitors may know the IP address only.
 */
export const makeOwnHosts = Effect.gen(function* () {
  const { allowPrivate } = yield* reach
  const listensLocally = isLoopback(yield* host)
  const isAskedFor = yield* ownHostsOnly
  const { base, docs, mcp } = yield* addresses
  const own = new Set([base, docs, mcp].map((url) => new URL(url).hostname))

  const nameOf = ({ headers }: HttpServerRequest): Name => {
    const hostname = hostnameIn(headers["host"] ?? "")
    return isLoopbackName(hostname) ? "loopback" : own.has(hostname) ? "own" : "other"
  }

  const bound: OwnHosts = {
    answers: (request) => nameOf(request) !== "other" || isForMonitors(requestPath(request.url)),
    isShared: (request) => !allowPrivate && nameOf(request) === "own"
  }
  return listensLocally || allowPrivate || isAskedFor ? bound : UNBOUND
})

const UNBOUND: OwnHosts = { answers: () => true, isShared: () => true }

/** `localhost`, `app.localhost`, `127.0.0.1`, `[::1]`. */
const isLoopbackName = (hostname: string): boolean => isLoopback(hostname) || hostname.endsWith(".localhost")

/** Whether a request has more than one `Host` field; Node drops the others. */
export const hasSeveralHosts = (request: HttpServerRequest): boolean => {
  const { rawHeaders } = NodeHttpServerRequest.toIncomingMessage(request)
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length > 1
}

/** The host in a `Host` header, as URLs have it; empty where there is none. */
const hostnameIn = (header: string): string =>
  /^[^\s/\\?#@]+$/.test(header) ? withoutFinalDots(URL.parse(`http://${header}/`)?.hostname ?? "") : ""

const isForMonitors = (path: string): boolean => path === "/healthz" || path === "/healthz/live" || path === "/metrics"
