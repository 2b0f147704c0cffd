import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as TestClock from "effect/testing/TestClock"
import { makeRecentPages } from "../../../../server/pages/browse/BrowseShell.ts"
import { CachedResponse, ResponseCache } from "../../../../server/response/ResponseCache.ts"

const request = (path: string) => HttpServerRequest.fromWeb(new Request(`http://localhost${path}`))

/** A page that counts how often it was made. */
const counter = () => {
  let made = 0
  const make = Effect.sync(() => new CachedResponse(`page ${++made}`, { type: "text/plain" }))
  return { make, made: () => made }
}

describe("recent pages", () => {
  it.effect("are rendered once for all requests within a second", () =>
    Effect.gen(function* () {
      const recent = makeRecentPages(yield* ResponseCache)
      const { made, make } = counter()
      const first = yield* recent(request("/browse"), make)
      yield* TestClock.adjust("999 millis")
      const second = yield* recent(request("/browse"), make)
      assert.deepStrictEqual([made(), second === first], [1, true])
      yield* TestClock.adjust("1 millis")
      yield* recent(request("/browse"), make)
      assert.strictEqual(made(), 2)
    }).pipe(Effect.provide(ResponseCache.layer))
  )

  it.effect("are cached by the whole URL", () =>
    Effect.gen(function* () {
      const recent = makeRecentPages(yield* ResponseCache)
      const { made, make } = counter()
      yield* recent(request("/browse/search?q=a"), make)
      yield* recent(request("/browse/search?q=b"), make)
      assert.strictEqual(made(), 2)
    }).pipe(Effect.provide(ResponseCache.layer))
  )

  it.effect("do not include errors", () =>
    Effect.gen(function* () {
      const recent = makeRecentPages(yield* ResponseCache)
      const { made, make } = counter()
      yield* recent(request("/browse/site?site=new.dev"), Effect.succeed(HttpServerResponse.empty({ status: 404 })))
      const answer = yield* recent(request("/browse/site?site=new.dev"), make)
      assert.deepStrictEqual([answer.status, made()], [200, 1])
    }).pipe(Effect.provide(ResponseCache.layer))
  )
})
