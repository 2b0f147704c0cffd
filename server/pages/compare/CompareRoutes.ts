import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Limits } from "../../../engine/limit/Limits.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { Corpus, type SiteSummary } from "../../../engine/store/corpus/Corpus.ts"
import { isRunId, type Run, runIdIn } from "../../../engine/store/runs/Run.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import type { NotFound, Unprocessable } from "../../api/Errors.ts"
import { ReleasedRubrics } from "../../config/ReleasedRubrics.ts"
import { RunReading } from "../../audits/RunReading.ts"
import { siteFormOf } from "../../../engine/evidence/Address.ts"
import { Clients } from "../../http/request/Clients.ts"
import { CachedResponse } from "../../response/CachedResponse.ts"
import { digestOf } from "../../response/EntityTag.ts"
import { ResponseCache } from "../../response/ResponseCache.ts"
import { html } from "../kit/Html.ts"
import { noticeResponse } from "../kit/NoticePage.ts"
import { otherSiteForm } from "../report/OtherSiteForm.ts"
import { finishedPage } from "../kit/PageAnswer.ts"
import { pathWith, queryOf } from "../kit/PageQuery.ts"
import { rateLimitedPage } from "../kit/RateLimitedPage.ts"
import { notDone, noUuid, refusedAsTold } from "../kit/RunNotices.ts"
import { ReportReading } from "../report/ReportReading.ts"
import { compareChoicePage, comparePage } from "./ComparePage.ts"
import { CompareReading } from "./CompareReading.ts"
import { siteLabel } from "../kit/SiteLabel.ts"

type Request = HttpServerRequest

/** How long a comparison is cached: one of the runs may be deleted. */
const TIME_TO_LIVE = "20 seconds"

/** Sites that are suggested if none has the name that was typed. */
const SUGGESTED = 8

/** Longer names of suggested sites are truncated. */
const LONGEST_NAME = 80

/** Maximum length of what can be typed for the other site. */
const LONGEST_SITE = 2_048

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

const siteNamed = (typed: string): string | null => {
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`)
  return url === null ? null : siteFormOf(url.href)
}

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
