import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { renderMarkdown } from "../../engine/audit/MarkdownReport.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import type { Run } from "../../engine/store/Run.ts"
import type { StoreUnavailable } from "../../engine/store/RunStore.ts"
import type { NotFound, Unprocessable } from "../api/Errors.ts"
import { JSON_TYPE } from "../http/Answers.ts"
import { Clients } from "../http/Clients.ts"
import { digestOf } from "../http/EntityTag.ts"
import { type FinishedRun, FinishedRuns } from "../http/FinishedRuns.ts"
import { RunReading } from "../http/RunReading.ts"
import { toldAnswer } from "../http/ToldAnswer.ts"
import { ShareImages } from "../images/ShareImages.ts"
import { queryOf } from "./browse/PageQuery.ts"
import { KeptPages } from "./kit/KeptPages.ts"
import { LastingContent } from "./kit/LastingContent.ts"
import { makeTogether } from "./kit/MadeTogether.ts"
import { finishedPage, pageAnswer } from "./kit/PageAnswer.ts"
import { makePageRation } from "./kit/PageRation.ts"
import { comparePage } from "./report/ComparePage.ts"
import { CompareReading } from "./report/CompareReading.ts"
import { failedPage } from "./report/FailedPage.ts"
import { reportPage } from "./report/ReportPage.ts"
import { readReport, ReportReading, textOf } from "./report/ReportReading.ts"
import { underWayPage } from "./report/UnderWayPage.ts"

type Request = HttpServerRequest
type Refused = NotFound | Unprocessable
type Failure = Refused | StoreUnavailable
/** What is the same for all who ask: a page, or a run that has none. */
type Made = LastingContent | Run
type Answer = Effect.Effect<HttpServerResponse, Failure>

/** How long a page that tells of other runs, too, stays as it is, in milliseconds. */
const FRESH_MS = 20_000

/** GET /r/{id}, its twins /r/{id}.md and /r/{id}.json, and /r/{id}/compare. */
const routes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const reading = yield* RunReading
    const finishedRuns = yield* FinishedRuns
    const reports = yield* ReportReading
    const comparisons = yield* CompareReading
    const images = yield* ShareImages
    const kept = yield* KeptPages
    const limits = yield* Limits
    const ration = makePageRation(yield* Clients, limits.poll)

    const together = makeTogether<Made, Failure>()

    /** From memory for a moment; made anew after that, for there may be newer runs. */
    const fresh = Effect.fnUntraced(function*(key: string, make: Effect.Effect<Made, Failure>) {
      const moment = Math.floor((yield* Clock.currentTimeMillis) / FRESH_MS)
      return yield* kept.through(`${key}:${moment}`, together(key, make))
    })

    const done = Effect.fnUntraced(function*(id: string) {
      const run = yield* reading.find(id)
      const finished = run.status === "done" ? yield* finishedRuns.get(id) : null
      return { run, finished }
    })

    /** Drawn anew only where something around the report has changed. */
    const drawn = Effect.fnUntraced(function*(run: Run, finished: FinishedRun) {
      const surroundings = yield* reports.surroundings(run)
      const page = Effect.map(reports.view(run, finished, surroundings), (view) => finishedPage(reportPage(view)))
      return yield* kept.through(`report:${run.id}:${digestOf(JSON.stringify(surroundings))}`, page)
    })

    // Whoever is shown a page may share it: its image will be asked for.
    const page = (request: Request, id: string): Answer =>
      Effect.andThen(images.prepare, fresh(`report:${id}`, Effect.gen(function*() {
        const { finished, run } = yield* done(id)
        return finished === null ? run : yield* drawn(run, finished)
      }))).pipe(Effect.flatMap((made) => (made instanceof LastingContent ? made.to(request) : unfinished(request, made))))

    const twin = (make: (finished: FinishedRun) => Effect.Effect<LastingContent>, kind: string) => (request: Request, id: string): Answer =>
      kept.through(`${kind}:${id}`, Effect.gen(function*() {
        const { finished, run } = yield* done(id)
        return finished === null ? run : yield* make(finished)
      })).pipe(Effect.flatMap((made) => (made instanceof LastingContent ? made.to(request) : Effect.succeed(notDone(request)))))

    const markdown = twin((finished) => Effect.map(readReport(finished), (report) =>
      new LastingContent(renderMarkdown(report), { type: "text/markdown; charset=utf-8" })), "report-markdown")

    const json = twin((finished) => Effect.sync(() => new LastingContent(textOf(finished), { type: JSON_TYPE })), "report-json")

    /** Drawn anew only where there are other runs to choose from. */
    const compared = Effect.fnUntraced(function*(id: string, baseline: string | undefined) {
      const target = yield* reading.find(id)
      const earlier = yield* comparisons.earlier(target)
      const page = Effect.map(comparisons.read(target, baseline, earlier), (comparison) => finishedPage(comparePage(comparison)))
      return yield* kept.through(`compare:${id}:${baseline ?? ""}:${digestOf(JSON.stringify(earlier))}`, page)
    })

    const compare = (request: Request, id: string): Answer => {
      const baseline = queryOf(request).get("baseline")?.toLowerCase() ?? ""
      if (baseline !== "" && !UUID.test(baseline)) return Effect.succeed(noUuid(request))
      return fresh(`compare:${id}:${baseline}`, compared(id, baseline === "" ? undefined : baseline)).pipe(
        Effect.flatMap((made) => (made instanceof LastingContent ? made.to(request) : Effect.succeed(notDone(request))))
      )
    }

    const answer = (request: Request, id: string, make: (request: Request, id: string) => Answer) =>
      UUID.test(id) ? ration(request, refusedAsTold(request, make(request, id.toLowerCase()))) : Effect.succeed(noUuid(request))

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

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The page of a run that is not over, or has no report. */
const unfinished = (request: Request, run: Run): Effect.Effect<HttpServerResponse> =>
  pageAnswer(request, run.status === "error" ? failedPage(run) : underWayPage(run), { cacheControl: "no-store" })

const noUuid = (request: Request): HttpServerResponse =>
  toldAnswer(request, {
    status: 400,
    page: { title: "This is no address of a report", text: "A report's address ends in an identifier such as 01938c2e-7b1a-7c3e-9d2f-4a5b6c7d8e9f. This one was cut or mistyped." },
    json: { error: "The identifier of a run has to be a UUID." }
  })

const notDone = (request: Request): HttpServerResponse =>
  toldAnswer(request, {
    status: 422,
    page: { title: "There is no report yet", text: "The audit is not finished, or ended without a report." },
    json: { error: "The run is not done.", code: "not_done" }
  })

/** What the reading refuses, in words. */
const refusedAsTold = (request: Request, answer: Answer): Effect.Effect<HttpServerResponse, StoreUnavailable> =>
  Effect.catchTags(answer, {
    NotFound: ({ code, error }) => Effect.succeed(toldAnswer(request, {
      status: 404,
      page: code === "not_found"
        ? { title: "There is no such report", text: "It may have been taken down, or its address is wrong." }
        : { title: "There is nothing to compare with", text: error },
      json: { error, ...(code === undefined ? {} : { code }) }
    })),
    Unprocessable: ({ code, error }) => Effect.succeed(toldAnswer(request, {
      status: 422,
      page: { title: "These cannot be compared", text: error },
      json: { error, ...(code === undefined ? {} : { code }) }
    }))
  })
