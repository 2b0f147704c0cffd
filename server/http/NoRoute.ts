import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { pathOf } from "./Paths.ts"
import { isShared, PREFLIGHT_HEADERS } from "./SecurityHeaders.ts"
import { toldAnswer } from "./ToldAnswer.ts"

/*
 * The answers to what no route answers, and to what went wrong.
 */

type Response = HttpServerResponse.HttpServerResponse

/** There is nothing at this address. */
export const nothingHere = (request: HttpServerRequest): Response =>
  toldAnswer(request, {
    status: 404,
    page: { title: "There is nothing at this address", text: "It may have been mistyped, or the link that led here is wrong." },
    json: { error: "There is nothing at this address.", code: "not_found" }
  })

/** No route: the path is unknown (`allowed` is empty), or has other methods. */
export const unrouted = (request: HttpServerRequest, allowed: ReadonlyArray<string>): Response => {
  if (request.method === "OPTIONS" && request.url === "*") return HttpServerResponse.empty({ status: 204, headers: { allow: "GET, HEAD, POST, OPTIONS" } })
  if (allowed.length === 0) return nothingHere(request)
  const headers = { allow: allowed.join(", ") }
  if (request.method === "OPTIONS") return HttpServerResponse.empty({ status: 204, headers: isShared(pathOf(request.url)) ? { ...headers, ...PREFLIGHT_HEADERS } : headers })
  const text = `This address takes ${headers.allow}.`
  return toldAnswer(request, {
    status: 405,
    page: { title: "That cannot be done at this address", text },
    json: { error: text, code: "method_not_allowed" },
    headers
  })
}

/** The request is for another host (RFC 9110 §15.5.20): a page may have led its own name here. */
export const misdirected = (request: HttpServerRequest, baseUrl: string): Response => {
  const text = `This service does not answer under that host name. Use ${baseUrl}, or set DOCGAUGE_BASE_URL to the URL that you use.`
  return toldAnswer(request, {
    status: 421,
    page: { title: "This service has another name", text },
    json: { error: text },
    headers: { "cache-control": "no-store" }
  })
}

/** A fault of ours. Nothing is told of it but the id that the log has, too. */
export const internalError = (request: HttpServerRequest, id: string): Response =>
  toldAnswer(request, {
    status: 500,
    page: { title: "Something went wrong here", text: `It is our fault, not yours, and has been logged as ${id}. Trying again may help.` },
    json: { error: "Something went wrong here. It has been logged.", code: "internal", request_id: id }
  })
