import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { changeText } from "../../../engine/audit/compare/ChangeSince.ts"
import { renderMarkdown } from "../../../engine/report/MarkdownReport.ts"
import { Limits } from "../../../engine/limit/Limits.ts"
import { parseInstant } from "../../../engine/store/database/ColumnValues.ts"
import { isRunId, type Run } from "../../../engine/store/runs/Run.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { MARKDOWN_TYPE } from "../../../engine/text/HttpValues.ts"
import type { NotFound, Unprocessable } from "../../api/Errors.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { Clients } from "../../http/request/Clients.ts"
import { digestOf } from "../../response/EncodedBody.ts"
import { type FinishedRun, FinishedRuns } from "../../audits/FinishedRuns.ts"
import { RunReading } from "../../audits/RunReading.ts"
import { ReleasedRubrics, RubricInForce } from "../../config/RubricInForce.ts"
import { ShareImages } from "../../images/ShareImages.ts"
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { notDone, noUuid, rateLimitedPage, refusedAsTold } from "../kit/NoticePage.ts"
import { finishedPage, pageAnswer } from "../kit/PageAnswer.ts"
import { failedPage, type RunUnderWay, underWayPage } from "./UnfinishedRun.ts"
import { FILE_POLICY } from "../../../engine/report/html/Html.ts"
import { renderHtml } from "../../../engine/report/html/HtmlReport.ts"
import { reportPage } from "./ReportPage.ts"
import { ReportReading } from "./ReportReading.ts"
import { rubricWordsFor } from "../../../engine/report/ReportView.ts"

type Request = HttpServerRequest
type Refused = NotFound | Unprocessable
type Failure = Refused | StoreUnavailable
/** What is cached for all clients: a page, or a run without one. */
type Made = CachedResponse | Run
type Answer = Effect.Effect<HttpServerResponse, Failure>

/** How long a page that also shows other runs is cached. */
const TIME_TO_LIVE = "20 seconds"

/** GET /r/{id}, as /r/{id}.md, /r/{id}.json and, one file to keep, /r/{id}.html. */
const routes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const reading = yield* RunReading
    const finishedRuns = yield* FinishedRuns
    const reports = yield* ReportReading
    const images = yield* ShareImages
    const responses = yield* ResponseCache
    const history = yield* RunHistory
    const limits = yield* Limits
    const { rubric } = yield* RubricInForce
    const runs = yield* RunStore
    const limited = rateLimitedPage(yield* Clients, limits.poll)

    /** Cached for a short time, since there may be newer runs. */
    const fresh = (key: string, make: Effect.Effect<Made, Failure>) =>
      responses.get(key, CachedResponse, make, TIME_TO_LIVE)

    // Each viewer of a run under way asks for it every few seconds.
    const usualSeconds = yield* Effect.cachedWithTTL(
      Effect.map(history.usualDuration, (milliseconds) =>
        milliseconds === null ? null : Math.ceil(milliseconds / 1_000)
      ),
      (exit) => (Exit.isSuccess(exit) ? "1 minute" : 0)
    )

    // The oldest unfinished audit is ahead of all others; many viewers ask.
    const oldest = yield* Effect.cachedWithTTL(
      Effect.map(runs.unfinished(1), ([first]) => first?.run.id ?? null),
      (exit) => (Exit.isSuccess(exit) ? "1 second" : 0)
    )
    const isBehind = ({ id, status }: Run) =>
      status === "pending" ? Effect.map(oldest, (first) => first !== null && first !== id) : Effect.succeed(false)

    const done = Effect.fnUntraced(function* (id: string) {
      const run = yield* reading.find(id)
      const finished = run.status === "done" ? yield* finishedRuns.get(id) : null
      return { run, finished }
    })

    /** Rendered again only if something around the report has changed. */
    const drawn = Effect.fnUntraced(function* (run: Run, finished: FinishedRun) {
      const surroundings = yield* reports.surroundings(run)
      const page = Effect.map(reports.view(run, finished, surroundings), (view) => finishedPage(reportPage(view)))
      return yield* responses.get(`report:${run.id}:${digestOf(JSON.stringify(surroundings))}`, CachedResponse, page)
    })

    // Viewers may share the page, and then its image is requested.
    const page = (request: Request, id: string): Answer =>
      Effect.andThen(
        images.prepare,
        fresh(
          `report:${id}`,
          Effect.gen(function* () {
            const { finished, run } = yield* done(id)
            return finished === null ? run : yield* drawn(run, finished)
          })
        )
      ).pipe(
        Effect.flatMap((made) =>
          made instanceof CachedResponse
            ? made.to(request)
            : Effect.flatMap(Effect.all([usualSeconds, isBehind(made)]), ([usual, isBehind]) =>
                unfinished(request, { run: made, rubric, usual, isBehind })
              )
        )
      )

    const sent = (request: Request) => (made: Made) =>
      made instanceof CachedResponse ? made.to(request) : Effect.succeed(notDone(request))

    const alternate =
      (make: (finished: FinishedRun) => Effect.Effect<CachedResponse>, kind: string) =>
      (request: Request, id: string): Answer =>
        responses
          .get(
            `${kind}:${id}`,
            CachedResponse,
            Effect.gen(function* () {
              const { finished, run } = yield* done(id)
              return finished === null ? run : yield* make(finished)
            })
          )
          .pipe(Effect.flatMap(sent(request)))

    // Cached for a short time: the audit before may have been deleted.
    const markdown = (request: Request, id: string): Answer =>
      fresh(
        `report-markdown:${id}`,
        Effect.gen(function* () {
          const { finished, run } = yield* done(id)
          if (finished === null) return run
          const report = yield* finishedRuns.read(finished)
          const change = yield* reports.change(run, report)
          return new CachedResponse(renderMarkdown(report, change === null ? {} : { note: changeText(change) }), {
            type: MARKDOWN_TYPE
          })
        })
      ).pipe(Effect.flatMap(sent(request)))

    const json = alternate(
      ({ report, signatureHeader }) =>
        Effect.sync(() => new CachedResponse(report.text, { type: JSON_TYPE, headers: signatureHeader })),
      "report-json"
    )

    const html = alternate(
      (finished) =>
        Effect.map(
          finishedRuns.read(finished),
          (report) =>
            new CachedResponse(renderHtml(report, { words: rubricWordsFor(rubric, report) }), {
              type: "text/html; charset=utf-8",
              headers: { "content-security-policy": FILE_POLICY, "content-disposition": "attachment" }
            })
        ),
      "report-html"
    )

    const forms: Readonly<Record<string, (request: Request, id: string) => Answer>> = { md: markdown, json, html }

    const answer = (request: Request, id: string, make: (request: Request, id: string) => Answer) =>
      isRunId(id)
        ? limited(request, refusedAsTold(request, make(request, id.toLowerCase())))
        : Effect.succeed(noUuid(request))

    yield* router.add(
      "GET",
      "/r/:id",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { id: file = "" } = yield* HttpRouter.params
        const [, id = file, kind] = /^([^.]*)\.(md|json|html)$/.exec(file) ?? []
        return yield* answer(request, id, forms[kind ?? ""] ?? page)
      })
    )
  })
)

export const reportRoutes = routes.pipe(
  Layer.provide([ReportReading.layer.pipe(Layer.provide(ReleasedRubrics.layerOf())), ShareImages.layer])
)

/** The page of a run that is unfinished, or has no report. */
const unfinished = Effect.fnUntraced(function* (
  request: Request,
  { isBehind, rubric, run, usual }: Omit<RunUnderWay, "seconds">
) {
  const asked = parseInstant(run.startedAt) ?? 0
  const seconds = Math.max(0, Math.round(((yield* Clock.currentTimeMillis) - asked / 1_000) / 1_000))
  return yield* pageAnswer(
    request,
    run.status === "error" ? failedPage(run) : underWayPage({ run, rubric, seconds, usual, isBehind }),
    { cacheControl: "no-store" }
  )
})
