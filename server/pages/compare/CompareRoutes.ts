import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { differInRubric, rubricShift } from "../../../engine/audit/compare/RubricShift.ts"
import { siteNamed } from "../../../engine/evidence/Address.ts"
import { Limits } from "../../../engine/limit/Limits.ts"
import { Corpus, type SiteSummary } from "../../../engine/store/corpus/Corpus.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { isRunId, type Run, runIdIn } from "../../../engine/store/runs/Run.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { type NotFound, Unprocessable } from "../../api/Errors.ts"
import { FinishedRuns } from "../../audits/FinishedRuns.ts"
import { RunReading } from "../../audits/RunReading.ts"
import { ReleasedRubrics, RubricInForce } from "../../config/RubricInForce.ts"
import { Clients } from "../../http/request/Clients.ts"
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { digestOf } from "../../response/EncodedBody.ts"
import { siteLabel } from "../../../engine/report/html/Parts.ts"
import { html } from "../../../engine/report/html/Html.ts"
import { notDone, noticeResponse, noUuid, rateLimitedPage, refusedAsTold } from "../kit/NoticePage.ts"
import { finishedPage } from "../kit/PageAnswer.ts"
import { pathWith, queryOf } from "../kit/PageQuery.ts"
import { otherSiteForm } from "../report/Forms.ts"
import { ReportReading, type ScoredRun, scoredRun } from "../report/ReportReading.ts"
import { compareChoicePage, comparePage } from "./ComparePage.ts"
import type { ComparedRun, RunComparison } from "./RunComparison.ts"

type Request = HttpServerRequest

/** How long a comparison is cached: one of the runs may be deleted. */
const TIME_TO_LIVE = "20 seconds"

/** Sites that are suggested if none has the name that was typed. */
const SUGGESTED = 8

/** Longer names of suggested sites are truncated. */
const LONGEST_NAME = 80

/** Maximum length of what can be typed for the other site. */
const LONGEST_SITE = 2_048

/** Reads two finished runs, of one site or of two, to compare them. */
class CompareReading extends Context.Service<
  CompareReading,
  {
    /** Earlier finished runs of the site, oldest first, to compare with. */
    readonly earlier: (target: Run) => Effect.Effect<ReadonlyArray<ScoredRun>, StoreUnavailable>
    /** Fails unless both runs are done, and if they are one. */
    readonly read: (
      target: Run,
      baseline: string,
      earlier: ReadonlyArray<ScoredRun>
    ) => Effect.Effect<RunComparison, NotFound | Unprocessable | StoreUnavailable>
    /** The run to compare a site by: its newest reliable one, else its newest; `null` without one. */
    readonly newestOf: (site: string) => Effect.Effect<Run | null, StoreUnavailable>
    /** The run before this one that is done; `null` without one. */
    readonly before: (target: Run) => Effect.Effect<Run | null, StoreUnavailable>
  }
>()("docgauge/server/pages/CompareReading") {
  static readonly layer: Layer.Layer<
    CompareReading,
    never,
    RunHistory | FinishedRuns | RunReading | ReportReading | RubricInForce
  > = Layer.effect(
    CompareReading,
    Effect.gen(function* () {
      const history = yield* RunHistory
      const finishedRuns = yield* FinishedRuns
      const reading = yield* RunReading
      const reports = yield* ReportReading
      const inForce = yield* RubricInForce

      const sideOf = Effect.fnUntraced(function* (
        run: Run
      ): Effect.fn.Return<ComparedRun, Unprocessable | StoreUnavailable> {
        const finished = run.status === "done" ? yield* finishedRuns.get(run.id) : null
        if (finished === null)
          return yield* new Unprocessable({ error: "One of the two audits has no report.", code: "not_done" })
        return { site: run.site, run: scoredRun(run), report: yield* finishedRuns.read(finished) }
      })

      const shiftOf = (before: ComparedRun, after: ComparedRun): RunComparison["shift"] =>
        differInRubric(before.report, after.report)
          ? (rubricShift(before.report, after.report, inForce) ?? "unknown")
          : null

      return {
        earlier: (target) =>
          Effect.map(reports.history(target), (runs) => runs.filter(({ startedAt }) => startedAt < target.startedAt)),
        newestOf: Effect.fnUntraced(function* (site) {
          return (yield* history.newestReliable(site)) ?? (yield* history.newest(site))
        }),
        before: (target) => history.before(target.site, target.startedAt),
        read: Effect.fn("CompareReading.read")(function* (target, baseline, earlier) {
          if (baseline === target.id)
            return yield* new Unprocessable({ error: "These are the same audit. Choose another one." })
          const other = yield* sideOf(yield* reading.find(baseline))
          const here = yield* sideOf(target)
          const sameSite = other.site === here.site
          return { here, other, sameSite, shift: sameSite ? shiftOf(other, here) : null, earlier }
        })
      }
    })
  )
}

/** GET /r/{id}/compare: with `baseline`, the id of any other finished run; with `site`, the newest run of that site; else the run before. */
const routes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const reading = yield* RunReading
    const comparisons = yield* CompareReading
    const corpus = yield* Corpus
    const responses = yield* ResponseCache
    const limits = yield* Limits
    const limited = rateLimitedPage(yield* Clients, limits.poll)

    /** Rendered again only if there are other runs to choose from. */
    const drawn = Effect.fnUntraced(function* (target: Run, baseline: string) {
      const earlier = yield* comparisons.earlier(target)
      const page = Effect.map(comparisons.read(target, baseline, earlier), (comparison) =>
        finishedPage(comparePage(comparison))
      )
      return yield* responses.get(
        `compare:${target.id}:${baseline}:${digestOf(JSON.stringify(earlier))}`,
        CachedResponse,
        page
      )
    })

    const compared = Effect.fnUntraced(function* (
      id: string,
      baseline: string
    ): Effect.fn.Return<CachedResponse | Run, NotFound | Unprocessable | StoreUnavailable> {
      const target = yield* reading.find(id)
      if (target.status !== "done") return target
      if (baseline !== "") return yield* drawn(target, baseline)
      const before = yield* comparisons.before(target)
      return before === null
        ? finishedPage(compareChoicePage(id, { base_url: target.url }))
        : yield* drawn(target, before.id)
    })

    const compare = (request: Request, id: string, baseline: string) =>
      Effect.flatMap(
        responses.get(`compare:${id}:${baseline}`, CachedResponse, compared(id, baseline), TIME_TO_LIVE),
        (made) => (made instanceof CachedResponse ? made.to(request) : Effect.succeed(notDone(request)))
      )

    /** Redirects to the comparison with the newest run of a site, or with the run that a URL of a report names. */
    const compareWithSite = Effect.fnUntraced(function* (id: string, typed: string) {
      const named = runIdIn(typed.slice(0, LONGEST_SITE))
      if (named !== null) return seeOther(id, named)
      const site = siteNamed(typed)
      const run = site === null ? null : yield* comparisons.newestOf(site)
      return run === null ? noSuchSite(id, typed, yield* corpus.search(typed, SUGGESTED)) : seeOther(id, run.id)
    })

    yield* router.add(
      "GET",
      "/r/:id/compare",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { id: given = "" } = yield* HttpRouter.params
        const [id, query] = [given.toLowerCase(), queryOf(request)]
        const [baseline, typed] = [query.get("baseline")?.toLowerCase() ?? "", query.get("site")?.trim() ?? ""]
        if (!isRunId(id) || (baseline !== "" && !isRunId(baseline))) return noUuid(request)
        const answer = typed === "" ? compare(request, id, baseline) : compareWithSite(id, typed.slice(0, LONGEST_SITE))
        return yield* limited(request, refusedAsTold(request, answer))
      })
    )
  })
)

export const compareRoutes = routes.pipe(
  Layer.provide(CompareReading.layer),
  Layer.provide(ReportReading.layer),
  Layer.provide(ReleasedRubrics.layerOf())
)

const seeOther = (id: string, baseline: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({
    status: 303,
    headers: { location: pathWith(`/r/${id}/compare`, { baseline }), "cache-control": "no-store" }
  })

const noSuchSite = (
  id: string,
  typed: string,
  similar: ReadonlyArray<SiteSummary>
): HttpServerResponse.HttpServerResponse =>
  noticeResponse(404, {
    title: "No audit of this site",
    text: "It has not been audited here yet, or its URL is spelled differently.",
    more: html`
      ${
        similar.length === 0
          ? null
          : html`
        <p>Did you mean one of these?</p>
        <ul>${similar.map(({ site }) => html`<li><a href=${pathWith(`/r/${id}/compare`, { site })}>${siteLabel(site, LONGEST_NAME)}</a></li>`)}</ul>`
      }
      ${otherSiteForm({ runId: id, typed: plainText(typed, LONGEST_SITE) })}
      <p><a href=${pathWith("/browse/search", { q: typed })}>Search all sites</a></p>`
  })
