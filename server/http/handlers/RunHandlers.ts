import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { encoder } from "effect/encoding/Sse"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { ArchiveStore } from "../../../engine/store/archives/ArchiveStore.ts"
import { isOver, type Run, isRunId } from "../../../engine/store/runs/Run.ts"
import { api } from "../../api/Api.ts"
import { NotFound, Unavailable, NO_RUN_ID } from "../../api/Errors.ts"
import { POLL_SECONDS } from "../../api/Runs.ts"
import { bodyOfDone, bodyWithoutReport, FinishedRuns } from "../../audits/FinishedRuns.ts"
import { NO_STORE, JSON_TYPE } from "../../response/CommonHeaders.ts"
import { isolatedGroup } from "./IsolatedGroup.ts"
import { RunReading } from "../../audits/RunReading.ts"
import { prefersEvents } from "../../response/Negotiation.ts"
import { orUnavailable } from "../errors/Refusals.ts"
import { Clients } from "../request/Clients.ts"
import { makePlaces } from "./Places.ts"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { Limits } from "../../../engine/limit/Limits.ts"
import { configuredDatabase } from "../../../engine/store/Database.ts"
import { rateLimited } from "../RateLimitMiddleware.ts"

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

/** How often a run is read for its events, and how many reads without news are followed by a comment: proxies close silent connections. */
const READ_INTERVAL = "1 second"
const SILENT_READS = 15

/** After ten minutes a stream ends, and the client connects again. */
const MOST_READS = 600

/** Streams that are open at once, of all clients and of one: each takes a connection, and reads the database each second. */
const MOST_STREAMS = 500
const MOST_OF_CLIENT = 16

/** nginx holds a stream back until it ends, unless told not to. */
const HEADERS = { ...NO_STORE, "x-accel-buffering": "no" }

/** The id of the last event: a client that sends it has seen the end, and is told not to connect again. */
const END = "end"

/** The progress of runs as server-sent events (WHATWG HTML §9.2), the last of which says how the run ended. */
const makeRunEvents = Effect.gen(function* () {
  const reading = yield* RunReading
  const clients = yield* Clients
  const begin = makePlaces({ most: MOST_STREAMS, mostOfClient: MOST_OF_CLIENT, refusal: TOO_MANY })

  const eventsOf = (id: string) =>
    Stream.paginate({ told: "", reads: 0, silence: 0 }, ({ reads, silence, told }) =>
      Effect.gen(function* () {
        if (reads > 0) yield* Effect.sleep(READ_INTERVAL)
        const run = yield* reading.find(id)
        if (isOver(run)) return [[endOf(run)], Option.none()]
        const event = progressOf(run)
        const lines = event !== told ? [event] : silence >= SILENT_READS ? [COMMENT] : []
        const next = { told: event, reads: reads + 1, silence: lines.length > 0 ? 1 : silence + 1 }
        return [lines, next.reads < MOST_READS ? Option.some(next) : Option.none()]
      })
    )

  return Effect.fnUntraced(function* (request: HttpServerRequest, id: string) {
    yield* orUnavailable(reading.find(id))
    if (request.headers["last-event-id"] === END) return HttpServerResponse.empty({ status: 204, headers: HEADERS })
    yield* begin(clients.of(request).rateKey)
    // Of a run that is gone, and while the database cannot be used, the next connection is told why.
    const events = Stream.catchCause(eventsOf(id), () => Stream.empty)
    return HttpServerResponse.stream(Stream.encodeText(Stream.prepend(events, [RETRY])), {
      contentType: "text/event-stream",
      headers: HEADERS
    })
  })
})

const TOO_MANY = new Unavailable({
  error: "Too many event streams are open. Close some, or poll the run without Accept: text/event-stream.",
  retryAfter: POLL_SECONDS
})

const RETRY = `retry: ${POLL_SECONDS * 1_000}\n\n`
const COMMENT = ": no news yet\n\n"

const progressOf = (run: Run): string =>
  encoder.write({ _tag: "Event", id: undefined, event: "progress", data: JSON.stringify(bodyWithoutReport(run)) })

const endOf = (run: Run): string =>
  encoder.write({
    _tag: "Event",
    id: END,
    event: END,
    data: JSON.stringify(run.status === "done" ? bodyOfDone(run) : bodyWithoutReport(run))
  })

const answer = (status: number, text: string) =>
  HttpServerResponse.text(text, {
    status,
    contentType: JSON_TYPE,
    headers: { "cache-control": "no-store", deprecation: "@1782086400" }
  })

/** GET /audit/{id}: the legacy path, only without a database, and not part of the contract. */
export const legacyRoute = Layer.unwrap(
  Effect.map(configuredDatabase, ({ _tag }) => (_tag === "Memory" ? legacyRead : Layer.empty))
)

const legacyRead = HttpRouter.use((router) =>
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
        return yield* limited(yield* HttpServerRequest, read(id.toLowerCase()))
      })
    )
  })
)
