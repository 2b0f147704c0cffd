import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { addresses } from "../config/Settings.ts"
import { answerCounter } from "../observe/CountedAnswers.ts"
import { isReusable, VARY } from "../response/CachedResponse.ts"
import { codingFor, compress, LEAST_BYTES } from "../response/Compression.ts"
import { isShared, OWN_HEADERS, securityHeaders, SHARED_HEADERS } from "../response/SecurityHeaders.ts"
import type { OwnHosts } from "./OwnHosts.ts"
import { requestPath } from "./request/RequestPath.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Adds the headers that all responses have, compresses what is worth it, and counts. `startedAt`: by `performance.now()`. */
export const makeResponseFinisher = Effect.fnUntraced(function* (hosts: OwnHosts) {
  const { base } = yield* addresses
  const countAnswer = yield* answerCounter
  const general = securityHeaders(base)
  const shared = { ...general, ...SHARED_HEADERS }
  const own = { ...general, ...OWN_HEADERS }

  /** A reusable response is finished once for other origins and once for our own. */
  const finishedResponses = { shared: new WeakMap<Response, Response>(), own: new WeakMap<Response, Response>() }

  const finishedOnce = (response: Response, forAll: boolean): Response => {
    const responses = forAll ? finishedResponses.shared : finishedResponses.own
    const known = responses.get(response)
    if (known !== undefined) return known
    const made = withNotFoundHeaders(withHeaders(response, forAll ? shared : own, false))
    responses.set(response, made)
    return made
  }

  return (request: HttpServerRequest, response: Response, startedAt: number): Effect.Effect<Response> => {
    const path = requestPath(request.url)
    const mayShare = hosts.isShared(request)
    const forAll = mayShare && isShared(path)
    countAnswer(request.method, path, response.status, (performance.now() - startedAt) / 1_000)
    if (isReusable(response)) return Effect.succeed(finishedOnce(response, forAll))
    const made = withHeaders(mayShare ? response : unshared(response), forAll ? shared : own, isRunPath(path))
    return isWorthCompressing(made)
      ? Effect.map(compressed(request, made), withNotFoundHeaders)
      : Effect.succeed(withNotFoundHeaders(made))
  }
})

/** Responses about runs change, so by default they are not stored. */
const isRunPath = (path: string): boolean =>
  path === "/audit" || path.startsWith("/audit/") || path.startsWith("/api/public/audit/")

/** Adds the common headers; those that the response has already win. */
const withHeaders = (response: Response, common: Readonly<Record<string, string>>, isRun: boolean): Response => {
  const headers: Record<string, string> = {}
  for (const name in common) if (!(name in response.headers)) headers[name] = common[name] ?? ""
  if (isRun && !("cache-control" in response.headers)) headers["cache-control"] = "no-store"
  return HttpServerResponse.setHeaders(response, headers)
}

/** Some responses allow all origins by themselves. */
const unshared = (response: Response): Response =>
  ALLOW_ORIGIN in response.headers ? HttpServerResponse.removeHeader(response, ALLOW_ORIGIN) : response

const ALLOW_ORIGIN = "access-control-allow-origin"

/** A missing page may exist a moment later, and its response is a page or JSON. */
const withNotFoundHeaders = (response: Response): Response =>
  response.status === 404
    ? HttpServerResponse.setHeaders(response, {
        "cache-control": response.headers["cache-control"] ?? "no-store",
        vary: `Accept, ${VARY}`
      })
    : response

/** Text that is long enough and not encoded yet. */
const isWorthCompressing = ({ body, headers }: Response): boolean =>
  body._tag === "Uint8Array" &&
  body.contentLength >= LEAST_BYTES &&
  !("vary" in headers) &&
  TEXT.test(headers["content-type"] ?? body.contentType)

const TEXT = /^(?:text\/|application\/(?:json|yaml|xml|xhtml\+xml|javascript)|image\/svg)/

const compressed = (request: HttpServerRequest, response: Response): Effect.Effect<Response> => {
  const coding = codingFor(request.headers["accept-encoding"])
  const varying = HttpServerResponse.setHeader(response, "vary", VARY)
  if (coding === "identity" || response.body._tag !== "Uint8Array") return Effect.succeed(varying)
  const { body, contentType } = response.body
  return Effect.map(compress(body, coding), (bytes) =>
    HttpServerResponse.uint8Array(bytes, {
      status: response.status,
      contentType,
      headers: { ...withoutLength(varying.headers), "content-encoding": coding }
    })
  )
}

const withoutLength = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "content-length"))
