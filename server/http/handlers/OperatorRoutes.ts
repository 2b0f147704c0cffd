import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { ArchiveSpace } from "../../../engine/store/archives/ArchiveSpace.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { Exposition, makeDatabaseCheck } from "../../observe/Metrics.ts"
import { JSON_TYPE, NO_STORE } from "../../response/CommonHeaders.ts"

/** Timeout after which the database counts as unavailable. */
const PATIENCE = "2 seconds"

/** The database is checked at most once in this time. */
const LOOK_INTERVAL = "1 second"

const health = (status: number, body: Readonly<Record<string, string>>) =>
  HttpServerResponse.text(JSON.stringify(body), {
    status,
    contentType: JSON_TYPE,
    headers: status === 200 ? NO_STORE : { ...NO_STORE, "retry-after": "5" }
  })

const LOW_SPACE = "Less than 500 MB free on the archive disk: new archives are not stored until there is more."

/** GET /healthz: the process answers, and so does its database. GET /healthz/live: the process answers. */
const healthRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const store = yield* RunStore
    const archives = yield* ArchiveSpace
    const looked = makeDatabaseCheck(store.ping, PATIENCE).pipe(
      Effect.andThen(archives.isLow),
      Effect.match({
        // Audits and reports work without archives, so a full disk takes no instance out of service.
        onSuccess: (isLow) => health(200, { status: "ok", database: "ok", ...(isLow ? { warning: LOW_SPACE } : {}) }),
        onFailure: () => health(503, { status: "unavailable", database: "unavailable" })
      })
    )
    const ready = yield* Effect.cachedWithTTL(looked, LOOK_INTERVAL)
    yield* router.add("GET", "/healthz", ready)
    yield* router.add("GET", "/healthz/live", Effect.succeed(health(200, { status: "ok" })))
  })
)

/** GET /metrics. */
const metricsRoute = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const exposition = yield* Exposition
    yield* router.add(
      "GET",
      "/metrics",
      Effect.map(exposition.text, (text) =>
        HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8", headers: NO_STORE })
      )
    )
  })
)

/** Routes for operators, outside the contract. */
export const operatorRoutes = Layer.mergeAll(healthRoutes, metricsRoute)
