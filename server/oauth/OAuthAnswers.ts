import * as HttpServerResponse from "effect/http/HttpServerResponse"

type Response = HttpServerResponse.HttpServerResponse

/** A response that is secret or can change. */
export const privateJson = (body: object, status = 200): Response =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { "cache-control": "no-store", pragma: "no-cache" } })

/** A public document, also for scripts of other origins. */
export const publicJson = (body: object): Response =>
  HttpServerResponse.jsonUnsafe(body, {
    headers: { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" }
  })

/** An error by RFC 6749, 5.2. */
export const oauthError = (error: string, description: string, status = 400): Response =>
  privateJson({ error, error_description: description }, status)
