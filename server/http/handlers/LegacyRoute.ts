import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Limits } from "../../../engine/limit/Limits.ts"
import { configuredDatabase } from "../../../engine/store/Database.ts"
import { isRunId } from "../../../engine/store/runs/Run.ts"
import { NO_RUN_ID } from "../../api/Errors.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { Clients } from "../request/Clients.ts"
import { bodyWithoutReport, FinishedRuns } from "../../audits/FinishedRuns.ts"
import { rateLimited } from "../RateLimitMiddleware.ts"
import { RunReading } from "../../audits/RunReading.ts"

const answer = (status: number, text: string) =>
  HttpServerResponse.text(text, {
    status,
    contentType: JSON_TYPE,
    headers: { "cache-control": "no-store", deprecation: "@1782086400" }
  })

/** GET /audit/{id}: the legacy path, only without a database, and not part of the contract. */
export const legacyRoute = Layer.unwrap(
  Effect.map(configuredDatabase, ({ _tag }) => (_tag === "Memory" ? route : Layer.empty))
)

const route = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const reading = yield* RunReading
    const finishedRuns = yield* FinishedRuns
    const limits = yield* Limits
    const limited = rateLimited(yield* Clients, limits.poll)

    const read = Effect.fnUntraced(
      function* (id: string) {
        const run = yield* reading.find(id)
        const done = run.status === "done" ? yield* finishedRuns.get(id) : null
        return answer(200, done === null ? JSON.stringify(bodyWithoutReport(run)) : done.run.text)
      },
      Effect.catchTags({
        NotFound: ({ code, error }) => Effect.succeed(answer(404, JSON.stringify({ error, code }))),
        // Cannot happen without a database.
        StoreUnavailable: Effect.die
      })
    )

    yield* router.add(
      "GET",
      "/audit/:id",
      Effect.gen(function* () {
        const { id = "" } = yield* HttpRouter.params
        if (!isRunId(id)) return answer(400, JSON.stringify({ error: NO_RUN_ID }))
        return yield* limited(yield* HttpServerRequest.HttpServerRequest, read(id.toLowerCase()))
      })
    )
  })
)
