import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { ArchiveStore } from "../../../engine/store/archives/ArchiveStore.ts"
import { isOver } from "../../../engine/store/runs/Run.ts"
import { api } from "../../api/Api.ts"
import { NotFound } from "../../api/Errors.ts"
import { POLL_SECONDS } from "../../api/Runs.ts"
import { bodyWithoutReport, FinishedRuns } from "../../audits/FinishedRuns.ts"
import { NO_STORE } from "../../response/CommonHeaders.ts"
import { isolatedGroup } from "./IsolatedGroup.ts"
import { RunReading } from "../../audits/RunReading.ts"
import { prefersEvents } from "../../response/Negotiation.ts"
import { orUnavailable } from "../errors/Unavailability.ts"
import { makeRunEvents } from "./RunEvents.ts"

const UNFINISHED = { ...NO_STORE, "retry-after": String(POLL_SECONDS) }

/** Runs on a page of history by default. */
const PAGE = 20

/** GET /api/public/audit/{id} and what belongs to it. */
export const runHandlers = isolatedGroup(
  Effect.gen(function* () {
    const reading = yield* RunReading
    const finishedRuns = yield* FinishedRuns
    const archives = yield* ArchiveStore
    const events = yield* makeRunEvents

    const fromStore = Effect.fnUntraced(function* (request: HttpServerRequest, id: string) {
      const run = yield* reading.find(id)
      const done = run.status === "done" ? yield* finishedRuns.get(id) : null
      return done === null
        ? HttpApiSchema.withHeaders({ body: bodyWithoutReport(run), headers: isOver(run) ? NO_STORE : UNFINISHED })
        : yield* done.runResponse.to(request)
    }, orUnavailable)

    const archived = Effect.fnUntraced(function* (id: string) {
      // The archive of a deleted run is removed shortly after it.
      yield* reading.find(id)
      const archive = yield* archives.read(id)
      if (archive === null)
        return yield* new NotFound({ error: "This run has no archive, or it has expired.", code: "not_found" })
      return HttpServerResponse.stream(archive.content, {
        contentType: "application/gzip",
        contentLength: archive.size,
        headers: { ...NO_STORE, "content-disposition": `attachment; filename="${id}.warc.gz"` }
      })
    }, orUnavailable)

    return HttpApiBuilder.group(api, "runs", (handlers) =>
      handlers.handleAll({
        getRun: ({ params: { id }, request }) =>
          prefersEvents(request.headers["accept"])
            ? events(request, id)
            : Effect.flatMap(finishedRuns.peek(id), (cached) =>
                cached === null ? fromStore(request, id) : cached.runResponse.to(request)
              ),
        getHistory: ({ params: { id }, query: { cursor, limit = PAGE } }) =>
          reading.history(id, cursor, limit).pipe(notKept, orUnavailable),
        getDiff: ({ params: { id }, query: { baseline } }) => reading.diff(id, baseline).pipe(notKept, orUnavailable),
        getArchive: ({ params: { id } }) => archived(id)
      })
    )
  })
)

const notKept = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(effect, (body) => HttpApiSchema.withHeaders({ body, headers: NO_STORE }))
