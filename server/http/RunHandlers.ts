import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Limits } from "../../engine/limit/Limits.ts"
import { ArchiveStore } from "../../engine/store/ArchiveStore.ts"
import { api } from "../api/Api.ts"
import { NotFound } from "../api/Errors.ts"
import { Clients } from "./Clients.ts"
import { FinishedRuns } from "./FinishedRuns.ts"
import { makeRation } from "./Rationed.ts"
import { bodyWithoutReport } from "./RunBodies.ts"
import { RunReading } from "./RunReading.ts"
import { orUnavailable } from "./Unavailability.ts"

const NO_STORE = { "cache-control": "no-store" }

/** Runs on a page of history unless the client says otherwise. */
const PAGE = 20

/** GET /api/public/audit/{id} and what belongs to it. */
export const runHandlers = HttpApiBuilder.group(api, "runs", Effect.fnUntraced(function*(handlers) {
  const reading = yield* RunReading
  const finishedRuns = yield* FinishedRuns
  const archives = yield* ArchiveStore
  const limits = yield* Limits
  const ration = makeRation(yield* Clients, limits.poll)

  const fromStore = Effect.fnUntraced(function*(request: HttpServerRequest, id: string) {
    const run = yield* reading.find(id)
    const done = run.status === "done" ? yield* finishedRuns.get(id) : null
    return done === null
      ? HttpApiSchema.withHeaders({ body: bodyWithoutReport(run), headers: NO_STORE })
      : yield* done.runAnswer.to(request)
  }, orUnavailable)

  const archived = Effect.fnUntraced(function*(id: string) {
    // An archive outlives its run for a moment where that is deleted.
    yield* reading.find(id)
    const archive = yield* archives.read(id)
    if (archive === null) return yield* new NotFound({ error: "There is no archive of this run, or none any more.", code: "not_found" })
    return HttpServerResponse.stream(archive.content, {
      contentType: "application/gzip",
      contentLength: archive.size,
      headers: { ...NO_STORE, "content-disposition": `attachment; filename="${id}.warc.gz"` }
    })
  }, orUnavailable)

  return handlers.handleAll({
    getRun: ({ params: { id }, request }) =>
      ration(request, Effect.suspend(() => {
        const hot = finishedRuns.peek(id)
        return hot === undefined ? fromStore(request, id) : hot.runAnswer.to(request)
      })),
    getHistory: ({ params: { id }, query: { cursor, limit = PAGE }, request }) =>
      ration(request, reading.history(id, cursor, limit).pipe(notKept, orUnavailable)),
    getDiff: ({ params: { id }, query: { baseline }, request }) =>
      ration(request, reading.diff(id, baseline).pipe(notKept, orUnavailable)),
    getArchive: ({ params: { id }, request }) => ration(request, archived(id))
  })
}))

const notKept = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(effect, (body) => HttpApiSchema.withHeaders({ body, headers: NO_STORE }))
