import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as SchemaIssue from "effect/SchemaIssue"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { AdminInputCheck } from "./api/AdminAccess.ts"
import { Malformed } from "./api/AdminErrors.ts"

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const PLACES: Readonly<Record<string, string>> = { Params: "path", Query: "query", Headers: "headers", Payload: "body" }

const LONGEST = 300

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }): string => String(typeof segment === "object" ? segment.key : segment)

/** Invalid input gets a 400 with the full reason; a response that cannot be encoded stays an internal error. */
export const layerAdminInput: Layer.Layer<AdminInputCheck> = HttpApiMiddleware.layerSchemaErrorTransform(AdminInputCheck, (error) => {
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error)
  const [issue] = issuesOf(error.cause.issue).issues
  const place = [PLACES[error.kind] ?? error.kind, ...(issue?.path ?? []).map(keyOf)].join(".")
  return Effect.fail(new Malformed({ error: `${place}: ${issue?.message ?? "invalid"}`.slice(0, LONGEST) }))
})
