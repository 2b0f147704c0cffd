import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { sqliteBackends } from "../store/Databases.ts"
import { audited, awaitDone, idOf, onDatabase, submit, until } from "./TestService.ts"

/** A tracer that notes the spans of one process. */
const makeTracer = () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

describe("traces", () => {
  it.live(
    "of a run have its id without hyphens in every process that works for it, and link the request that asked for it",
    () =>
      Effect.gen(function* () {
        const [backend] = sqliteBackends
        const address = yield* (backend ?? (yield* Effect.die("there is SQLite"))).fresh
        const [first, second] = [makeTracer(), makeTracer()]
        const isBegun = { now: false }
        const id = yield* Effect.gen(function* () {
          const submitted = yield* submit("docs.example.com").pipe(Effect.withSpan("the request"))
          yield* until(Effect.sync(() => isBegun.now))
          return idOf(submitted)
        }).pipe(
          Effect.provide(
            onDatabase(address, {
              audit: () =>
                Effect.andThen(
                  Effect.sync(() => {
                    isBegun.now = true
                  }),
                  Effect.never
                )
            })
          ),
          Effect.withTracer(first.tracer)
        )
        yield* awaitDone(id).pipe(
          Effect.provide(onDatabase(address, { audit: (run) => Effect.succeed(audited(run)) })),
          Effect.withTracer(second.tracer)
        )

        const trace = id.replaceAll("-", "")
        const namesIn = (spans: ReadonlyArray<Tracer.Span>) =>
          spans.filter(({ traceId }) => traceId === trace).map(({ name }) => name)
        assert.includeMembers(namesIn(first.spans), ["run.accepted", "run.work", "RunWorker.audit"])
        assert.includeMembers(namesIn(second.spans), ["run.work", "RunWorker.audit", "RunWorker.keepEnd"])
        const request = first.spans.find(({ name }) => name === "the request")
        const accepted = first.spans.find(({ name }) => name === "run.accepted")
        assert.notStrictEqual(request?.traceId, trace)
        assert.deepStrictEqual(
          accepted?.links.map(({ span }) => span.traceId),
          [request?.traceId ?? ""]
        )
      }).pipe(Effect.scoped)
  )
})
