import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { parsedJson } from "../../../engine/text/JsonText.ts"
import { BadRequest, ContentTooLarge, UnsupportedMediaType } from "../../api/Errors.ts"
import { isOwnerKey } from "../../audits/VerificationTokens.ts"
import { readRequestBody } from "../request/RequestBody.ts"

/** What a client sent to POST /audit, of which only the shape is checked. */
export interface SubmissionBody {
  readonly baseUrl: unknown
  /** Whether the site's owner asks for a run that asks as named agents. */
  readonly asAgents: boolean
  /** The owner key that came with it; `null` without one. */
  readonly ownerKey: string | null
}

type BodyRefusal = BadRequest | ContentTooLarge | UnsupportedMediaType

/** The largest body that is read. */
const MOST_BYTES = 16 * 1_024

const TOO_LARGE = new ContentTooLarge({ error: "The body is larger than 16 KB." })
const UNSUPPORTED = new UnsupportedMediaType({
  error: "Send application/json or application/x-www-form-urlencoded, in UTF-8 and not compressed."
})

const malformed = (error: string): BadRequest => new BadRequest({ error })

/** Whether the client sends an HTML form. */
export const isForm = (request: HttpServerRequest): boolean =>
  mediaTypeOf(request).type === "application/x-www-form-urlencoded"

/** Reads the body: its type first, then its size, then its form. */
export const readSubmission = Effect.fnUntraced(function* (
  request: HttpServerRequest
): Effect.fn.Return<SubmissionBody, BodyRefusal> {
  const { type } = mediaTypeOf(request)
  const parse = PARSERS.get(type)
  if (parse === undefined) return yield* UNSUPPORTED
  return yield* parse(yield* readText(request))
})

/** Reads a body that has to be a JSON object, within the same bounds. */
export const readJsonObject = Effect.fnUntraced(function* (
  request: HttpServerRequest
): Effect.fn.Return<object, BodyRefusal> {
  if (mediaTypeOf(request).type !== JSON_TYPE.type) return yield* UNSUPPORTED
  return yield* jsonObjectIn(yield* readText(request))
})

/** The text of a body that is neither compressed nor too large. */
const readText = Effect.fnUntraced(function* (request: HttpServerRequest): Effect.fn.Return<string, BodyRefusal> {
  if (!UTF_8.has(mediaTypeOf(request).charset) || !isPlain(request)) return yield* UNSUPPORTED
  const bytes = yield* Effect.mapError(readRequestBody(request, MOST_BYTES), (fault) =>
    fault === "too_large" ? TOO_LARGE : malformed("The body could not be read.")
  )
  const text = decode(bytes)
  if (text === null) return yield* malformed("The body is not UTF-8.")
  if (text.trim() === "") return yield* malformed('The body is empty: send {"base_url": "https://docs.example.com"}.')
  return text
})

interface MediaType {
  readonly type: string
  readonly charset: string
}

/** A body without a type is read as JSON, which most clients mean. */
const JSON_TYPE: MediaType = { type: "application/json", charset: "utf-8" }

const mediaTypeOf = ({ headers }: HttpServerRequest): MediaType => {
  const value = headers["content-type"]
  return value === undefined || value === JSON_TYPE.type ? JSON_TYPE : readMediaType(value)
}

const readMediaType = (value: string): MediaType => {
  const [type = "", ...parameters] = value.split(";").map((part) => part.trim().toLowerCase())
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice("charset=".length)
    .replaceAll('"', "")
  return { type, charset: charset ?? "utf-8" }
}

const UTF_8: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"])

const isPlain = ({ headers }: HttpServerRequest): boolean =>
  (headers["content-encoding"] ?? "identity").trim().toLowerCase() === "identity"

const decoder = new TextDecoder("utf-8", { fatal: true })

/** `null` where the bytes are not UTF-8. A byte order mark is dropped. */
const decode = (bytes: Uint8Array): string | null => {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

type Parser = (text: string) => Effect.Effect<SubmissionBody, BadRequest>

const jsonObjectIn = (text: string): Effect.Effect<object, BadRequest> => {
  const value = parsedJson(text)
  if (value === undefined) return Effect.fail(malformed("The body is not JSON."))
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Effect.succeed(value)
    : Effect.fail(malformed('The body is not a JSON object: send {"base_url": "https://docs.example.com"}.'))
}

const parseJson: Parser = (text) =>
  Effect.flatMap(jsonObjectIn(text), (value) => submissionOf({ as_agents: false, owner_key: "", ...value }))

/** A form sends what is not ticked as nothing, and names its boxes `true` or `on`. */
const parseForm: Parser = (text) => {
  const fields = new URLSearchParams(text)
  const ticked = fields.get("as_agents") ?? ""
  return submissionOf({
    base_url: fields.get("base_url") ?? undefined,
    as_agents: /^(?:true|on|1)$/.test(ticked) || (/^(?:false|0|)$/.test(ticked) ? false : ticked),
    owner_key: (fields.get("owner_key") ?? "").trim()
  })
}

const submissionOf = ({
  as_agents: asAgents,
  base_url: baseUrl,
  owner_key: ownerKey
}: {
  readonly base_url?: unknown
  readonly as_agents: unknown
  readonly owner_key: unknown
}): Effect.Effect<SubmissionBody, BadRequest> => {
  if (typeof asAgents !== "boolean") return Effect.fail(malformed("as_agents has to be true or false."))
  if (typeof ownerKey !== "string" || (asAgents && ownerKey !== "" && !isOwnerKey(ownerKey)))
    return Effect.fail(
      malformed(
        "owner_key has to be a key that this service gave you: 43 letters, digits, - and _. Leave it out to get one."
      )
    )
  return Effect.succeed({ baseUrl, asAgents, ownerKey: ownerKey === "" ? null : ownerKey })
}

const PARSERS: ReadonlyMap<string, Parser> = new Map([
  ["application/json", parseJson],
  ["application/x-www-form-urlencoded", parseForm]
])
