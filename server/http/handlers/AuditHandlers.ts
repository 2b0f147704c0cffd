import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { leftOutOf } from "../../../engine/audit/Target.ts"
import type { LimitRefusal } from "../../../engine/limit/LimitDecision.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { api } from "../../api/Api.ts"
import {
  AuditTimedOut,
  type BadRequest,
  type ContentTooLarge,
  ForeignPage,
  type TooManyRequests,
  type Unavailable,
  Unprocessable,
  type UnsupportedMediaType
} from "../../api/Errors.ts"
import { POLL_SECONDS } from "../../api/Runs.ts"
import { acceptedBody, pollPath, shareLinkOf, sharePath } from "../../audits/FinishedRuns.ts"
import { withoutVerification } from "../../audits/RefusalMessages.ts"
import { Submissions } from "../../audits/Submissions.ts"
import { addresses } from "../../config/Settings.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { prefersHtml } from "../../response/Negotiation.ts"
import { PageRenderer, type RefusedForm } from "../errors/ErrorResponses.ts"
import { orUnavailable, rateLimitResponse, tooManyRequests } from "../errors/Refusals.ts"
import { Clients, isFromForeignPage } from "../request/Clients.ts"
import { withRequestId } from "../request/RequestIds.ts"
import { isolatedGroup } from "./IsolatedGroup.ts"
import { isForm, readSubmission, type SubmissionBody } from "./SubmissionBody.ts"

/** How long a synchronous request waits for its report. */
export const AuditCeiling = Context.Reference<Duration.Input>("docgauge/server/AuditCeiling", {
  defaultValue: () => "120 seconds"
})

/** The length of the form's field, in characters. */
const MAX_TYPED = 2_048

/** Every error of POST /audit. */
type SubmissionError =
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
const formRefusal = (
  { refusedForm }: PageRenderer["Service"],
  error: SubmissionError,
  typed: string
): HttpServerResponse.HttpServerResponse => {
  const refusal =
    error._tag === "BadRequest" && error.code === "http_not_supported"
      ? { text: OVER_HTTPS, typed: plainText(typed, MAX_TYPED).replace(/^http:/i, "https:") }
      : {
          text: textOf(error),
          typed: plainText(typed, MAX_TYPED),
          ...(error._tag === "TooManyRequests" ? limitOf(error) : {}),
          ...(error._tag === "AuditTimedOut" && error.share_url !== undefined ? { report: error.share_url } : {}),
          ...(error._tag === "ForeignPage" && error.ownership !== undefined ? { ownership: error.ownership } : {})
        }
  return refusedForm(STATUS[error._tag], refusal, headersOf(error))
}

/** The field then has the https URL. */
const OVER_HTTPS = "We only audit https URLs, so we changed it to https. Audit this URL?"

const textOf = (error: SubmissionError): string => `${forPeople(error.error)}${adviceFor(error)}`

const adviceFor = (error: SubmissionError): string => {
  // What to publish follows the form, in a section of its own.
  if (error._tag === "ForeignPage" && error.ownership !== undefined) return " If it is yours, show it as below."
  return error._tag === "BadRequest" && error.code === "not_public_address"
    ? " Audit a private site from your own machine: npx docgauge URL --allow-private."
    : ""
}

const limitOf = ({
  retry_after: retryAfter,
  share_url: report,
  verification
}: TooManyRequests): Partial<RefusedForm> => ({
  retryAfter,
  ...(report === undefined ? {} : { report }),
  ...(verification === undefined ? {} : { verification })
})

const POLL_IT = "Poll the run at poll_url; do not submit again."

/** The same words without the name of the field, and without what only programs do. */
const forPeople = (text: string): string =>
  withoutVerification(text)
    .replace(/^base_url cannot be/, "This URL cannot be")
    .replace(/^base_url is missing: send/, "Enter")
    .replace(` ${POLL_IT}`, "")
    .replaceAll("owner_key", "owner key")

const headersOf = (error: SubmissionError): Readonly<Record<string, string>> => {
  if (error._tag === "AuditTimedOut")
    return {
      "retry-after": String(POLL_SECONDS),
      ...(error.run_id === undefined ? {} : { "x-audit-run-id": error.run_id })
    }
  if (error._tag === "Unavailable") return { "retry-after": String(error.retryAfter) }
  return error._tag === "TooManyRequests"
    ? {
        "retry-after": String(error.retry_after),
        ratelimit: error.rateLimit,
        "ratelimit-policy": error.rateLimitPolicy
      }
    : {}
}

/** POST /audit. */
export const auditHandlers = isolatedGroup(
  Effect.gen(function* () {
    const submissions = yield* Submissions
    const clients = yield* Clients
    const ceiling = yield* AuditCeiling
    const { base } = yield* addresses
    const renderer = yield* PageRenderer

    /** Waits for the run: its report, or why it failed. */
    const awaited = Effect.fnUntraced(function* (request: HttpServerRequest, runId: string) {
      const outcome = yield* Effect.timeoutOrElse(submissions.outcome(runId), {
        duration: ceiling,
        orElse: () => Effect.fail(timedOut(runId))
      })
      return outcome._tag === "Report"
        ? yield* outcome.finished.reportResponse("MISS").to(request)
        : yield* failureOf(outcome.run)
    })

    const submit = Effect.fnUntraced(function* (
      request: HttpServerRequest,
      { asAgents, baseUrl, ownerKey }: SubmissionBody,
      isAsync: boolean
    ) {
      const client = [clients.of(request)]
      const submitted = yield* asAgents
        ? submissions.submitAsOwner(baseUrl, client, ownerKey)
        : submissions.submit(baseUrl, client)
      if (submitted._tag === "Refusal") return yield* refused(request, submitted)
      if (submitted._tag === "UnderWay")
        yield* withRequestId(Effect.annotateLogs(Effect.logInfo("audit requested"), "run", submitted.runId))
      if (isAsync) {
        const runId = submitted._tag === "Report" ? submitted.finished.id : submitted.runId
        return isForm(request) ? sentToPage(runId) : accepted(runId)
      }
      return submitted._tag === "Report"
        ? yield* submitted.finished.cachedReport.to(request)
        : yield* awaited(request, submitted.runId)
    }, orUnavailable)

    /** For users the form again, with what they typed; for programs the error. */
    const told = (request: HttpServerRequest, typed: unknown) => (error: SubmissionError) =>
      wantsPage(request)
        ? Effect.succeed(formRefusal(renderer, error, typeof typed === "string" ? typed : ""))
        : Effect.fail(error)

    return HttpApiBuilder.group(api, "audits", (handlers) =>
      handlers.handleRaw("submitAudit", ({ query, request }) =>
        Effect.matchEffect(isFromForeignPage(request, base) ? Effect.fail(FOREIGN) : readSubmission(request), {
          onFailure: told(request, ""),
          onSuccess: (body) => {
            const baseUrl = isForm(request) ? meant(body.baseUrl) : body.baseUrl
            return Effect.catch(
              Effect.map(submit(request, { ...body, baseUrl }, query.async === true), tellingLeftOut(body.baseUrl)),
              told(request, body.baseUrl)
            )
          }
        })
      )
    )
  })
)

const FOREIGN = new ForeignPage({
  error: "Pages of other sites cannot start audits here. Use this service's own page, or a program."
})

const timedOut = (runId: string) =>
  new AuditTimedOut({
    error: `The audit has not ended after 120 s, and continues. ${POLL_IT}`,
    ...acceptedBody(runId)
  })

/** Says which query and fragment of the URL play no part. */
const tellingLeftOut = (baseUrl: unknown) => (response: HttpServerResponse.HttpServerResponse) => {
  const { fragment, query } = leftOutOf(typeof baseUrl === "string" ? baseUrl : "")
  const left = query + fragment
  return left === "" ? response : HttpServerResponse.setHeader(response, "x-audit-left-out", left)
}

const wantsPage = (request: HttpServerRequest): boolean => isForm(request) && prefersHtml(request)

/** Users type `docs.example.com` into the form; the same form means the same to programs that send it. */
const meant = (typed: unknown): unknown => {
  const text = typeof typed === "string" ? typed.trim() : ""
  return text === "" || /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`
}

const refused = (request: HttpServerRequest, refusal: LimitRefusal) =>
  wantsPage(request) ? Effect.fail(tooManyRequests(refusal)) : Effect.succeed(rateLimitResponse(refusal))

/** A run that ended in `error`, because of the client's site or of a fault of ours. */
const failureOf = ({ error, id }: Run): Effect.Effect<never, Unprocessable> => {
  if (error?.code === "internal") return Effect.die(new Error(`run ${id} broke off: ${error.message}`))
  return Effect.fail(
    new Unprocessable({
      error: error?.message ?? "The audit failed.",
      ...(error?.code === "audit_failed" ? { code: error.code } : {})
    })
  )
}

const runHeaders = (runId: string) => ({
  "x-audit-run-id": runId,
  link: shareLinkOf(runId),
  "cache-control": "no-store"
})

const accepted = (runId: string) =>
  HttpServerResponse.text(JSON.stringify(acceptedBody(runId)), {
    status: 202,
    contentType: JSON_TYPE,
    headers: { ...runHeaders(runId), location: pollPath(runId), "retry-after": String(POLL_SECONDS) }
  })

const sentToPage = (runId: string) =>
  HttpServerResponse.empty({ status: 303, headers: { ...runHeaders(runId), location: sharePath(runId) } })
