import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { RunStore } from "../../engine/store/RunStore.ts"
import { FAR_FUTURE } from "../http/SiteWidgets.ts"
import { RubricInForce } from "../RubricInForce.ts"
import { homePage, type Teaser } from "./HomePage.ts"
import { KeptPages } from "./kit/KeptPages.ts"
import type { LastingContent } from "./kit/LastingContent.ts"
import { makeTogether } from "./kit/MadeTogether.ts"
import { finishedPage } from "./kit/PageAnswer.ts"

/** Sites in each list. */
const FEW = 5

/** Every audited address has it. */
const ANY_ADDRESS = "://"

/** How long the page stays as it is, in milliseconds: it asks the store no oftener, and so needs no limit of its own. */
const FRESH_MS = 20_000

/** GET /. */
export const homeRoutes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const store = yield* RunStore
    const kept = yield* KeptPages
    const { rubric: { categories } } = yield* RubricInForce

    const teaser = Effect.gen(function*() {
      const summary = yield* store.summary
      if (summary.sites === 0) return null
      const sites = yield* store.search(ANY_ADDRESS, FEW)
      const latest = yield* Effect.forEach(sites, ({ site }) => store.previousDone(site, FAR_FUTURE))
      return { summary, latest: latest.filter((run) => run !== null), leading: yield* store.top("all", "best", FEW) } satisfies Teaser
    })

    const together = makeTogether<LastingContent, never>()

    // The form is there whatever the store says.
    const page = Effect.map(Effect.catch(teaser, () => Effect.succeed(null)), (figures) => finishedPage(homePage({ categories, teaser: figures })))

    yield* router.add("GET", "/", Effect.gen(function*() {
      const moment = Math.floor((yield* Clock.currentTimeMillis) / FRESH_MS)
      const content = yield* kept.through(`home:${moment}`, together("home", page))
      return yield* content.to(yield* HttpServerRequest)
    }))
  }))
