import * as Effect from "effect/Effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type * as Layer from "effect/Layer"
import { siteFormOf } from "../../engine/evidence/Address.ts"
import { firstIssue } from "../http/errors/BadInput.ts"
import { AdminInputCheck } from "./api/AdminAccess.ts"
import { Malformed } from "./api/AdminErrors.ts"

const PLACES: Readonly<Record<string, string>> = { Params: "path", Query: "query", Headers: "headers", Payload: "body" }

const LONGEST = 300

/** Invalid input gets a 400 with the full reason; a response that cannot be encoded stays an internal error. */
export const layerAdminInput: Layer.Layer<AdminInputCheck> = HttpApiMiddleware.layerSchemaErrorTransform(
  AdminInputCheck,
  (error) => {
    if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error)
    const { message, path } = firstIssue(error.cause.issue)
    const place = [PLACES[error.kind] ?? error.kind, ...path].join(".")
    return Effect.fail(new Malformed({ error: `${place}: ${message}`.slice(0, LONGEST) }))
  }
)

/** The host form of a site, from its URL or its host form. */
export const siteOfText = (text: string): Effect.Effect<string, Malformed> => {
  const url = URL.parse(/^https?:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`)
  return url === null ||
    !/^[^.]+(?:\.[^.]+)+$/.test(url.hostname) ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== ""
    ? Effect.fail(
        new Malformed({
          error: "site: use a URL such as https://docs.example.com/v2, or a host form such as docs.example.com/v2"
        })
      )
    : Effect.succeed(siteFormOf(url.href))
}
