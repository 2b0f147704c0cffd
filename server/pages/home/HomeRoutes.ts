import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RubricInForce } from "../../config/RubricInForce.ts"
import { addresses } from "../../config/Settings.ts"
import { homePage, type Teaser } from "./HomePage.ts"
import { ResponseCache } from "../../response/ResponseCache.ts"
import { CachedResponse } from "../../response/CachedResponse.ts"
import { finishedPage } from "../kit/PageAnswer.ts"

/** Sites per list. */
const FEW = 5

/** How long the page is cached. It reads the store at most this often, so it needs no rate limit. */
const TIME_TO_LIVE = "20 seconds"

/** GET /. */
export const homeRoutes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const [corpus, history] = [yield* Corpus, yield* RunHistory]
    const responses = yield* ResponseCache
    const { rubric: { categories } } = yield* RubricInForce
    const { base } = yield* addresses

    const teaser = Effect.gen(function*() {
      const summary = yield* corpus.summary
      if (summary.sites === 0) return null
      const latest = yield* Effect.forEach(yield* corpus.recent(FEW), ({ site }) => history.newest(site))
      return { summary, latest: latest.filter((run) => run !== null), leading: yield* corpus.top("all", "best", FEW) } satisfies Teaser
    })

    // Without the store the page still shows the form.
    const page = Effect.map(Effect.catch(teaser, () => Effect.succeed(null)), (figures) => finishedPage(homePage({ base, categories, teaser: figures })))

    yield* router.add("GET", "/", Effect.gen(function*() {
      const content = yield* responses.get("home", CachedResponse, page, TIME_TO_LIVE)
      return yield* content.to(yield* HttpServerRequest)
    }))
  }))
