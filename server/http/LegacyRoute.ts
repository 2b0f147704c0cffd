import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Limits } from "../../engine/limit/Limits.ts"
import { databaseAddress } from "../../engine/store/DatabaseAddress.ts"
import { JSON_TYPE } from "./Answers.ts"
import { Clients } from "./Clients.ts"
import { FinishedRuns } from "./FinishedRuns.ts"
import { makeRation } from "./Rationed.ts"
import { bodyWithoutReport } from "./RunBodies.ts"
import { RunReading } from "./RunReading.ts"

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const answer = (status: number, text: string) =>
  HttpServerResponse.text(text, { status, contentType: JSON_TYPE, headers: { "cache-control": "no-store", deprecation: "@1782086400" } })

/** GET /audit/{id}: the path of old, only without a database, and no part of the contract. */
export const legacyRoute = Layer.unwrap(Effect.map(databaseAddress, ({ _tag }) => (_tag === "Memory" ? route : Layer.empty)))

const route = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const reading = yield* RunReading
    const finishedRuns = yield* FinishedRuns
    const limits = yield* Limits
    const ration = makeRation(yield* Clients, limits.poll)

    const read = Effect.fnUntraced(function*(id: string) {
      const run = yield* reading.find(id)
      const done = run.status === "done" ? yield* finishedRuns.get(id) : null
      return answer(200, done === null ? JSON.stringify(bodyWithoutReport(run)) : Buffer.from(done.run.identity).toString())
    }, Effect.catchTags({
    NotFound: ({ code, error }) => Effect.succeed(answer(404, JSON.stringify({ error, code }))),
    // There is no database that could be gone.
    StoreUnavailable: Effect.die
  }))

    yield* router.add("GET", "/audit/:id", Effect.gen(function*() {
      const { id = "" } = yield* HttpRouter.params
      if (!UUID.test(id)) return answer(400, JSON.stringify({ error: "The path parameter id has to be a UUID." }))
      return yield* ration(yield* HttpServerRequest.HttpServerRequest, read(id.toLowerCase()))
    }))
  }))
