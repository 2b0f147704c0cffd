import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { noticeAnswer } from "../pages/kit/NoticePage.ts"
import { JSON_TYPE } from "./Answers.ts"
import { pathOf } from "./Paths.ts"
import { prefersHtml } from "./PrefersHtml.ts"
import { isShared, PREFLIGHT_HEADERS } from "./SecurityHeaders.ts"

/*
 * The answers to what no route answers, and to what went wrong: a page for people, JSON for programs, with the same status.
 */

type Response = HttpServerResponse.HttpServerResponse
type HeaderRecord = Readonly<Record<string, string>>

const json = (status: number, body: Readonly<Record<string, unknown>>, headers: HeaderRecord = {}): Response =>
  HttpServerResponse.text(JSON.stringify(body), { status, contentType: JSON_TYPE, headers })

/** There is nothing at this address. */
export const nothingHere = (request: HttpServerRequest): Response =>
  prefersHtml(request)
    ? noticeAnswer(404, { title: "There is nothing at this address", text: "It may have been mistyped, or the link that led here is wrong." })
    : json(404, { error: "There is nothing at this address.", code: "not_found" })

/** No route: the path is unknown (`allowed` is empty), or has other methods. */
export const unrouted = (request: HttpServerRequest, allowed: ReadonlyArray<string>): Response => {
  if (request.method === "OPTIONS" && request.url === "*") return HttpServerResponse.empty({ status: 204, headers: { allow: "GET, HEAD, POST, OPTIONS" } })
  if (allowed.length === 0) return nothingHere(request)
  const allow = { allow: allowed.join(", ") }
  if (request.method === "OPTIONS") return HttpServerResponse.empty({ status: 204, headers: isShared(pathOf(request.url)) ? { ...allow, ...PREFLIGHT_HEADERS } : allow })
  const message = `This address takes ${allow.allow}.`
  return prefersHtml(request)
    ? noticeAnswer(405, { title: "That cannot be done at this address", text: message }, allow)
    : json(405, { error: message, code: "method_not_allowed" }, allow)
}

/** A fault of ours. Nothing is told of it but the id that the log has, too. */
export const internalError = (request: HttpServerRequest, id: string): Response =>
  prefersHtml(request)
    ? noticeAnswer(500, { title: "Something went wrong here", text: `It is our fault, not yours, and has been logged as ${id}. Trying again may help.` })
    : json(500, { error: "Something went wrong here. It has been logged.", code: "internal", request_id: id })
