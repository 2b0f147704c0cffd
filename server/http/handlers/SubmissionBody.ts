import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { parsedJson } from "../../../engine/text/ParsedJson.ts"
import { BadRequest, ContentTooLarge, UnsupportedMediaType } from "../../api/Errors.ts"
import { readRequestBody } from "../request/RequestBody.ts"

/** What a client sent to POST /audit, of which only the shape is checked. */
export interface SubmissionBody {
  readonly baseUrl: unknown
}

export type BodyRefusal = BadRequest | ContentTooLarge | UnsupportedMediaType

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
  const { charset, type } = mediaTypeOf(request)
  const parse = PARSERS.get(type)
  if (parse === undefined || !UTF_8.has(charset) || !isPlain(request)) return yield* UNSUPPORTED
  const bytes = yield* Effect.mapError(readRequestBody(request, MOST_BYTES), (fault) =>
    fault === "too_large" ? TOO_LARGE : malformed("The body could not be read.")
  )
  const text = decode(bytes)
  if (text === null) return yield* malformed("The body is not UTF-8.")
  if (text.trim() === "") return yield* malformed('The body is empty: send {"base_url": "https://docs.example.com"}.')
  return yield* parse(text)
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

const parseJson: Parser = (text) => {
  const value = parsedJson(text)
  if (value === undefined) return Effect.fail(malformed("The body is not JSON."))
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Effect.succeed({ baseUrl: "base_url" in value ? value.base_url : undefined })
    : Effect.fail(malformed('The body is not a JSON object: send {"base_url": "https://docs.example.com"}.'))
}

const parseForm: Parser = (text) => Effect.succeed({ baseUrl: new URLSearchParams(text).get("base_url") ?? undefined })

const PARSERS: ReadonlyMap<string, Parser> = new Map([
  ["application/json", parseJson],
  ["application/x-www-form-urlencoded", parseForm]
])
