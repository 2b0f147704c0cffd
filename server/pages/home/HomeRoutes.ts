import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { Corpus, type SiteSummary } from "../../../engine/store/corpus/Corpus.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { FinishedRuns } from "../../audits/FinishedRuns.ts"
import { RubricInForce } from "../../config/RubricInForce.ts"
import { addresses } from "../../config/Settings.ts"
import { homePage, type Teaser } from "./HomePage.ts"
import { FEW_SITES } from "../browse/SiteTable.ts"
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { finishedPage } from "../kit/PageAnswer.ts"

/** How long the page is cached. It reads the store at most this often, so it needs no rate limit. */
const TIME_TO_LIVE = "20 seconds"

/** GET /. */
export const homeRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const [corpus, history] = [yield* Corpus, yield* RunHistory]
    const responses = yield* ResponseCache
    const finishedRuns = yield* FinishedRuns
    const { rubric } = yield* RubricInForce
    const service = yield* addresses

    /** A report with something to fix shows most. */
    const sampleOf = Effect.fnUntraced(function* (leading: ReadonlyArray<SiteSummary>) {
      const reliable = leading.filter((site) => site.reliable)
      const { site } = reliable.find(({ latestScore }) => latestScore < 100) ?? reliable[0] ?? { site: "" }
      const run = site === "" ? null : yield* history.newestReliable(site)
      const finished = run === null ? null : yield* finishedRuns.get(run.id)
      if (finished === null) return {}
      return { sample: { id: finished.id, site, report: yield* finishedRuns.read(finished) } }
    })

    /** Reading a stored report may fail in ways that the rest of the page does not depend on. */
    const sampleIfReadable = (leading: ReadonlyArray<SiteSummary>) =>
      Effect.catchCause(sampleOf(leading), (cause) =>
        Effect.as(Effect.logWarning("the sample report of the home page could not be read", cause), {})
      )

    const teaser = Effect.gen(function* () {
      const summary = yield* corpus.summary
      if (summary.sites === 0) return null
      const latest = yield* Effect.forEach(yield* corpus.recent(FEW_SITES), ({ site }) => history.newest(site))
      const leading = yield* corpus.top("all", "best", FEW_SITES)
      return {
        summary,
        latest: latest.filter((run) => run !== null),
        leading,
        ...(yield* sampleIfReadable(leading))
      } satisfies Teaser
    })

    // Without the store the page still shows the form.
    const page = Effect.map(
      Effect.catch(teaser, () => Effect.succeed(null)),
      (figures) => finishedPage(homePage({ service, categories: rubric.categories, teaser: figures }))
    )

    yield* router.add(
      "GET",
      "/",
      Effect.gen(function* () {
        const content = yield* responses.get("home", CachedResponse, page, TIME_TO_LIVE)
        return yield* content.to(yield* HttpServerRequest)
      })
    )
  })
)
