import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { plainText } from "../../../engine/text/PlainText.ts"
import type {
  AuditTimedOut,
  BadRequest,
  ContentTooLarge,
  ForeignPage,
  TooManyRequests,
  Unavailable,
  Unprocessable,
  UnsupportedMediaType
} from "../../api/Errors.ts"
import { withoutVerification } from "../../audits/RefusalMessages.ts"
import type { PageRenderer, RefusedForm } from "../errors/PageRenderer.ts"

/** The length of the form's field, in characters. */
const MAX_TYPED = 2_048

/** Every error of POST /audit. */
export type SubmissionError =
  | AuditTimedOut
  | BadRequest
  | ContentTooLarge
  | ForeignPage
  | TooManyRequests
  | Unavailable
  | Unprocessable
  | UnsupportedMediaType

const STATUS: Readonly<Record<SubmissionError["_tag"], number>> = {
  BadRequest: 400,
  ForeignPage: 403,
  ContentTooLarge: 413,
  UnsupportedMediaType: 415,
  Unprocessable: 422,
  TooManyRequests: 429,
  Unavailable: 503,
  AuditTimedOut: 504
}

/** The form again, with what the user typed and why it was refused, and the status that JSON would have. */
export const formRefusal = (
  { refusedForm }: PageRenderer["Service"],
  error: SubmissionError,
  typed: string
): HttpServerResponse => {
  const refusal =
    error._tag === "BadRequest" && error.code === "http_not_supported"
      ? { text: OVER_HTTPS, typed: plainText(typed, MAX_TYPED).replace(/^http:/i, "https:") }
      : {
          text: textOf(error),
          typed: plainText(typed, MAX_TYPED),
          ...(error._tag === "TooManyRequests" ? limitOf(error) : {}),
          ...(error._tag === "ForeignPage" && error.ownership !== undefined ? { ownership: error.ownership } : {})
        }
  return refusedForm(STATUS[error._tag], refusal, headersOf(error))
}

/** The field then has the https URL. */
const OVER_HTTPS = "We only audit https URLs, so we changed it to https. Audit this URL?"

/** What to do about it follows the form, in a section of its own. */
const textOf = (error: SubmissionError): string =>
  error._tag === "ForeignPage" && error.ownership !== undefined
    ? `${forPeople(error.error)} If it is yours, show it as below.`
    : forPeople(error.error)

const limitOf = ({
  retry_after: retryAfter,
  share_url: report,
  verification
}: TooManyRequests): Partial<RefusedForm> => ({
  retryAfter,
  ...(report === undefined ? {} : { report }),
  ...(verification === undefined ? {} : { verification })
})

/** The same words without the name of the field. */
const forPeople = (text: string): string =>
  withoutVerification(text)
    .replace(/^base_url cannot be/, "This URL cannot be")
    .replace(/^base_url is missing: send/, "Enter")
    .replaceAll("owner_key", "owner key")

const headersOf = (error: SubmissionError): Readonly<Record<string, string>> => {
  if (error._tag === "Unavailable") return { "retry-after": String(error.retryAfter) }
  return error._tag === "TooManyRequests"
    ? {
        "retry-after": String(error.retry_after),
        ratelimit: error.rateLimit,
        "ratelimit-policy": error.rateLimitPolicy
      }
    : {}
}
