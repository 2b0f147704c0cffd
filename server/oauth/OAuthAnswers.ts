import * as HttpServerResponse from "effect/http/HttpServerResponse"

type Response = HttpServerResponse.HttpServerResponse

/** An answer that holds something secret, or may be another one next time. */
export const privateJson = (body: object, status = 200): Response =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { "cache-control": "no-store", pragma: "no-cache" } })

/** A document for everyone, scripts of other origins too. */
export const publicJson = (body: object): Response =>
  HttpServerResponse.jsonUnsafe(body, { headers: { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" } })

/** An error by RFC 6749, 5.2. */
export const oauthError = (error: string, description: string, status = 400): Response =>
  privateJson({ error, error_description: description }, status)
