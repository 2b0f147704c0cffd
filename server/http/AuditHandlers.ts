import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Refusal } from "../../engine/limit/Verdict.ts"
import type { Run } from "../../engine/store/Run.ts"
import { api } from "../api/Api.ts"
import { AuditTimedOut, ForeignPage, Unprocessable } from "../api/Errors.ts"
import { RubricInForce } from "../RubricInForce.ts"
import { addresses } from "../Settings.ts"
import { codedAnswer, JSON_TYPE } from "./Answers.ts"
import { Clients } from "./Clients.ts"
import type { FinishedRun } from "./FinishedRuns.ts"
import { isFromForeignPage } from "./ForeignPages.ts"
import { lightGroup } from "./LightGroup.ts"
import { prefersHtml } from "./PrefersHtml.ts"
import { refusalPage, type SubmissionError } from "./RefusalPage.ts"
import { refusedAnswer, tooManyRequests } from "./Refusals.ts"
import { withRequestId } from "./RequestIds.ts"
import { acceptedBody, shareLinkOf, sharePath } from "./RunBodies.ts"
import { isForm, readSubmission } from "./SubmissionBody.ts"
import { Submissions } from "./Submissions.ts"
import { orUnavailable } from "./Unavailability.ts"

/** How long a request waits for its report. */
export const AuditCeiling = Context.Reference<Duration.Input>("docgauge/server/AuditCeiling", { defaultValue: () => "120 seconds" })

/** POST /audit. */
export const auditHandlers = lightGroup(Effect.gen(function*() {
  const submissions = yield* Submissions
  const clients = yield* Clients
  const ceiling = yield* AuditCeiling
  const { base } = yield* addresses
  const { rubric: { categories } } = yield* RubricInForce

  /** The outcome of a run, awaited: its report, or why there is none. */
  const awaited = Effect.fnUntraced(function*(request: HttpServerRequest, runId: string) {
    const outcome = yield* Effect.timeoutOrElse(submissions.outcome(runId), { duration: ceiling, orElse: () => Effect.fail(timedOut()) })
    return outcome._tag === "Report" ? yield* made(request, outcome.finished) : yield* failureOf(outcome.run)
  })

  const submit = Effect.fnUntraced(function*(request: HttpServerRequest, baseUrl: unknown, isAsync: boolean) {
    const submitted = yield* submissions.submit(baseUrl, [clients.of(request)])
    if (submitted._tag === "Refusal") return yield* refused(request, submitted)
    if (submitted._tag === "UnderWay") yield* withRequestId(Effect.annotateLogs(Effect.logInfo("audit asked for"), "run", submitted.runId))
    if (isAsync) {
      const runId = submitted._tag === "Report" ? submitted.finished.id : submitted.runId
      return isForm(request) ? sentToPage(runId) : accepted(runId)
    }
    return submitted._tag === "Report" ? yield* submitted.finished.replay.to(request) : yield* awaited(request, submitted.runId)
  }, orUnavailable)

  /** For people the form again, with what they typed; for programs the error. */
  const told = (request: HttpServerRequest, typed: unknown) => (error: SubmissionError) =>
    wantsPage(request) ? Effect.succeed(refusalPage(error, typeof typed === "string" ? typed : "", categories)) : Effect.fail(error)

  return HttpApiBuilder.group(api, "audits", (handlers) => handlers.handleRaw("submitAudit", ({ query, request }) =>
    Effect.matchEffect(isFromForeignPage(request, base) ? Effect.fail(FOREIGN) : readSubmission(request), {
      onFailure: told(request, ""),
      onSuccess: ({ baseUrl }) =>
        Effect.catch(submit(request, wantsPage(request) ? meant(baseUrl) : baseUrl, query.async === true), told(request, baseUrl))
    })))
}))

const FOREIGN = new ForeignPage({ error: "Pages of other sites may not start audits here. Use this service's own page, or a program." })

const timedOut = () => new AuditTimedOut({ error: "The audit took longer than 120 s, and goes on. Submit again with ?async=true and poll." })

const wantsPage = (request: HttpServerRequest): boolean => isForm(request) && prefersHtml(request)

/** Whoever types `docs.example.com` into a form means the site. */
const meant = (typed: unknown): unknown => {
  const text = typeof typed === "string" ? typed.trim() : ""
  return text === "" || /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`
}

const refused = (request: HttpServerRequest, refusal: Refusal) =>
  wantsPage(request) ? Effect.fail(tooManyRequests(refusal)) : Effect.succeed(refusedAnswer(refusal))

const made = (request: HttpServerRequest, { report, reportHeaders }: FinishedRun) =>
  codedAnswer(request, report, { ...reportHeaders, "x-audit-cache": "MISS" })

/** A run that ended in `error`: the client's site, or a fault of ours. */
const failureOf = ({ error, id }: Run): Effect.Effect<never, Unprocessable> => {
  if (error?.code === "internal") return Effect.die(new Error(`run ${id} broke off: ${error.message}`))
  return Effect.fail(new Unprocessable({
    error: error?.message ?? "The audit failed.",
    ...(error?.code === "audit_failed" ? { code: error.code } : {})
  }))
}

const runHeaders = (runId: string) => ({ "x-audit-run-id": runId, link: shareLinkOf(runId), "cache-control": "no-store" })

const accepted = (runId: string) =>
  HttpServerResponse.text(JSON.stringify(acceptedBody(runId)), { status: 202, contentType: JSON_TYPE, headers: runHeaders(runId) })

const sentToPage = (runId: string) =>
  HttpServerResponse.empty({ status: 303, headers: { ...runHeaders(runId), location: sharePath(runId) } })
