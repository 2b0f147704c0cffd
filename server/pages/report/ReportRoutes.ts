import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { changeText } from "../../../engine/audit/compare/ChangeSince.ts"
import { renderMarkdown } from "../../../engine/audit/render/MarkdownReport.ts"
import { Limits } from "../../../engine/limit/Limits.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { isRunId } from "../../../engine/store/runs/RunId.ts"
import type { NotFound, Unprocessable } from "../../api/Errors.ts"
import { JSON_TYPE } from "../../response/Json.ts"
import { Clients } from "../../http/request/Clients.ts"
import { digestOf } from "../../response/EntityTag.ts"
import { type FinishedRun, FinishedRuns } from "../../audits/FinishedRuns.ts"
import { RunReading } from "../../audits/RunReading.ts"
import { ShareImages } from "../../images/ShareImages.ts"
import { queryOf } from "../kit/PageQuery.ts"
import { ResponseCache } from "../../response/ResponseCache.ts"
import { CachedResponse } from "../../response/CachedResponse.ts"
import { notDone, noUuid, refusedAsTold } from "../kit/RunNotices.ts"
import { finishedPage, pageAnswer } from "../kit/PageAnswer.ts"
import { rateLimitedPage } from "../kit/RateLimitedPage.ts"
import { comparePage } from "./ComparePage.ts"
import { CompareReading } from "./CompareReading.ts"
import { failedPage } from "./FailedPage.ts"
import { reportPage } from "./ReportPage.ts"
import { readReport, ReportReading, reportTextOf } from "./ReportReading.ts"
import { underWayPage } from "./UnderWayPage.ts"

type Request = HttpServerRequest
type Refused = NotFound | Unprocessable
type Failure = Refused | StoreUnavailable
/** What is cached for all clients: a page, or a run without one. */
type Made = CachedResponse | Run
type Answer = Effect.Effect<HttpServerResponse, Failure>

/** How long a page that also shows other runs is cached. */
const TIME_TO_LIVE = "20 seconds"

/** GET /r/{id}, as /r/{id}.md and /r/{id}.json, and /r/{id}/compare. */
const routes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const reading = yield* RunReading
    const finishedRuns = yield* FinishedRuns
    const reports = yield* ReportReading
    const comparisons = yield* CompareReading
    const images = yield* ShareImages
    const responses = yield* ResponseCache
    const limits = yield* Limits
    const limited = rateLimitedPage(yield* Clients, limits.poll)

    /** Cached for a short time, since there may be newer runs. */
    const fresh = (key: string, make: Effect.Effect<Made, Failure>) => responses.get(key, CachedResponse, make, TIME_TO_LIVE)

    const done = Effect.fnUntraced(function*(id: string) {
      const run = yield* reading.find(id)
      const finished = run.status === "done" ? yield* finishedRuns.get(id) : null
      return { run, finished }
    })

    /** Rendered again only if something around the report has changed. */
    const drawn = Effect.fnUntraced(function*(run: Run, finished: FinishedRun) {
      const surroundings = yield* reports.surroundings(run)
      const page = Effect.map(reports.view(run, finished, surroundings), (view) => finishedPage(reportPage(view)))
      return yield* responses.get(`report:${run.id}:${digestOf(JSON.stringify(surroundings))}`, CachedResponse, page)
    })

    // Viewers may share the page, and then its image is requested.
    const page = (request: Request, id: string): Answer =>
      Effect.andThen(images.prepare, fresh(`report:${id}`, Effect.gen(function*() {
        const { finished, run } = yield* done(id)
        return finished === null ? run : yield* drawn(run, finished)
      }))).pipe(Effect.flatMap((made) => (made instanceof CachedResponse ? made.to(request) : unfinished(request, made))))

    const alternate = (make: (finished: FinishedRun) => Effect.Effect<CachedResponse>, kind: string) => (request: Request, id: string): Answer =>
      responses.get(`${kind}:${id}`, CachedResponse, Effect.gen(function*() {
        const { finished, run } = yield* done(id)
        return finished === null ? run : yield* make(finished)
      })).pipe(Effect.flatMap((made) => (made instanceof CachedResponse ? made.to(request) : Effect.succeed(notDone(request)))))

    // Cached for a short time: the audit before may have been deleted.
    const markdown = (request: Request, id: string): Answer =>
      fresh(`report-markdown:${id}`, Effect.gen(function*() {
        const { finished, run } = yield* done(id)
        if (finished === null) return run
        const report = yield* readReport(finished)
        const change = yield* reports.change(run, report)
        return new CachedResponse(renderMarkdown(report, change === null ? {} : { note: changeText(change) }), { type: "text/markdown; charset=utf-8" })
      })).pipe(Effect.flatMap((made) => (made instanceof CachedResponse ? made.to(request) : Effect.succeed(notDone(request)))))

    const json = alternate((finished) => Effect.sync(() => new CachedResponse(reportTextOf(finished), { type: JSON_TYPE })), "report-json")

    /** Rendered again only if there are other runs to choose from. */
    const compared = Effect.fnUntraced(function*(id: string, baseline: string | undefined) {
      const target = yield* reading.find(id)
      const earlier = yield* comparisons.earlier(target)
      const page = Effect.map(comparisons.read(target, baseline, earlier), (comparison) => finishedPage(comparePage(comparison)))
      return yield* responses.get(`compare:${id}:${baseline ?? ""}:${digestOf(JSON.stringify(earlier))}`, CachedResponse, page)
    })

    const compare = (request: Request, id: string): Answer => {
      const baseline = queryOf(request).get("baseline")?.toLowerCase() ?? ""
      if (baseline !== "" && !isRunId(baseline)) return Effect.succeed(noUuid(request))
      return fresh(`compare:${id}:${baseline}`, compared(id, baseline === "" ? undefined : baseline)).pipe(
        Effect.flatMap((made) => (made instanceof CachedResponse ? made.to(request) : Effect.succeed(notDone(request))))
      )
    }

    const answer = (request: Request, id: string, make: (request: Request, id: string) => Answer) =>
      isRunId(id) ? limited(request, refusedAsTold(request, make(request, id.toLowerCase()))) : Effect.succeed(noUuid(request))

    yield* router.add("GET", "/r/:id", Effect.gen(function*() {
      const request = yield* HttpServerRequest
      const { id: file = "" } = yield* HttpRouter.params
      const [, id = file, kind] = /^([^.]*)\.(md|json)$/.exec(file) ?? []
      return yield* answer(request, id, kind === undefined ? page : kind === "md" ? markdown : json)
    }))

    yield* router.add("GET", "/r/:id/compare", Effect.gen(function*() {
      const { id = "" } = yield* HttpRouter.params
      return yield* answer(yield* HttpServerRequest, id, compare)
    }))
  }))

export const reportRoutes = routes.pipe(Layer.provide(CompareReading.layer), Layer.provide([ReportReading.layer, ShareImages.layer]))

/** The page of a run that is unfinished, or has no report. */
const unfinished = (request: Request, run: Run): Effect.Effect<HttpServerResponse> =>
  pageAnswer(request, run.status === "error" ? failedPage(run) : underWayPage(run), { cacheControl: "no-store" })
