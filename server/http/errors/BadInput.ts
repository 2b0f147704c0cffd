import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as SchemaIssue from "effect/SchemaIssue"
import type { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { BadRequest, InputCheck } from "../../api/Errors.ts"

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first thing that is wrong with a request: the keys that lead to it, and what. */
export const firstIssue = (
  issue: SchemaIssue.Issue
): { readonly path: ReadonlyArray<string>; readonly message: string } => {
  const { message, path = [] } = issuesOf(issue).issues[0] ?? { message: "invalid" }
  return { path: path.map((segment) => String(typeof segment === "object" ? segment.key : segment)), message }
}

const PLACES: Readonly<Record<string, string>> = {
  Params: "path parameter",
  Query: "query parameter",
  Headers: "header"
}

/** What each parameter of the contract has to be. */
const EXPECTED: Readonly<Record<string, string>> = {
  id: "a UUID",
  baseline: "a UUID",
  cursor: "an RFC 3339 timestamp, such as 2026-11-20T08:15:30Z (write + as %2B)",
  async: "true or false",
  window: "7d, 30d or all",
  order: "best or worst",
  bucket: "30d, 90d or 12m",
  base_url: "a URL of at most 2,048 characters, given once",
  sites: "a list of sites separated by commas, given once",
  slug: "the name of a dashboard"
}

/** Names the wrong parameter, and repeats nothing that the client sent. */
const messageOf = ({ cause, kind }: HttpApiSchemaError): string => {
  const [name = ""] = firstIssue(cause.issue).path
  return `The ${PLACES[kind] ?? "value"} ${name} has to be ${EXPECTED[name] ?? "given once, in the form that the contract defines"}.`
}

/** Invalid requests get a 400; invalid responses stay a fault of ours. */
export const layerInputCheck: Layer.Layer<InputCheck> = HttpApiMiddleware.layerSchemaErrorTransform(
  InputCheck,
  (error) =>
    error.kind === "Body" || error.kind === "ResponseHeaders"
      ? Effect.die(error)
      : Effect.fail(new BadRequest({ error: messageOf(error) }))
)
