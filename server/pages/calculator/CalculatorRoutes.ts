import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { Limits } from "../../../engine/limit/Limits.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { isRunId } from "../../../engine/store/runs/Run.ts"
import type { NotFound } from "../../api/Errors.ts"
import { FinishedRuns } from "../../audits/FinishedRuns.ts"
import { RunReading } from "../../audits/RunReading.ts"
import { RubricInForce } from "../../config/RubricInForce.ts"
import { addresses } from "../../config/Settings.ts"
import { Clients } from "../../http/request/Clients.ts"
import { pageAnswer } from "../kit/PageAnswer.ts"
import { queryOf } from "../kit/PageQuery.ts"
import { rateLimitedPage } from "../kit/RateLimitedPage.ts"
import { notDone, noUuid, refusedAsTold } from "../kit/RunNotices.ts"
import { readReport } from "../report/ReportReading.ts"
import { chosenFor, chosenIn } from "./Calculation.ts"
import { calculatorPage, type FilledFrom } from "./CalculatorPage.ts"

/** GET /rubric/calculator: the levels of its query, or with `run` those of a finished run. */
export const calculatorRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const rubric = yield* RubricInForce
    const reading = yield* RunReading
    const finishedRuns = yield* FinishedRuns
    const { base } = yield* addresses
    const limited = rateLimitedPage(yield* Clients, (yield* Limits).poll)

    const filledFrom = Effect.fnUntraced(function* (
      id: string
    ): Effect.fn.Return<FilledFrom | null, NotFound | StoreUnavailable> {
      const run = yield* reading.find(id)
      const finished = run.status === "done" ? yield* finishedRuns.get(id) : null
      return finished === null ? null : { id, report: yield* readReport(finished) }
    })

    const filled = Effect.fnUntraced(function* (request: HttpServerRequest, id: string) {
      const run = yield* filledFrom(id)
      return run === null
        ? notDone(request)
        : yield* pageAnswer(request, calculatorPage({ base, rubric, run, chosen: chosenFor(rubric, run.report) }))
    })

    yield* router.add(
      "GET",
      "/rubric/calculator",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const query = queryOf(request)
        const id = query.get("run")?.toLowerCase() ?? ""
        if (id === "")
          return yield* pageAnswer(
            request,
            calculatorPage({ base, rubric, run: null, chosen: chosenIn(rubric, query) })
          )
        if (!isRunId(id)) return noUuid(request)
        return yield* limited(request, refusedAsTold(request, filled(request, id)))
      })
    )
  })
)
