import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as TestClock from "effect/testing/TestClock"
import { makeRecentPages } from "../../../server/pages/browse/RecentPages.ts"
import { LastingContent } from "../../../server/pages/kit/LastingContent.ts"

const request = (path: string) => HttpServerRequest.fromWeb(new Request(`http://localhost${path}`))

/** A page that counts how often it was made. */
const counter = () => {
  let made = 0
  const make = Effect.sync(() => new LastingContent(`page ${++made}`, { type: "text/plain" }))
  return { make, made: () => made }
}

describe("pages that were read a moment ago", () => {
  it.effect("are made once for everyone who asks within a second", () =>
    Effect.gen(function*() {
      const recent = makeRecentPages()
      const { made, make } = counter()
      const first = yield* recent(request("/browse"), make)
      yield* TestClock.adjust("999 millis")
      const second = yield* recent(request("/browse"), make)
      assert.deepStrictEqual([made(), second === first], [1, true])
      yield* TestClock.adjust("1 millis")
      yield* recent(request("/browse"), make)
      assert.strictEqual(made(), 2)
    }))

  it.effect("are told apart by their whole address", () =>
    Effect.gen(function*() {
      const recent = makeRecentPages()
      const { made, make } = counter()
      yield* recent(request("/browse/search?q=a"), make)
      yield* recent(request("/browse/search?q=b"), make)
      assert.strictEqual(made(), 2)
    }))

  it.effect("are no answers that say why there is none", () =>
    Effect.gen(function*() {
      const recent = makeRecentPages()
      const { made, make } = counter()
      yield* recent(request("/browse/site?site=new.dev"), Effect.succeed(HttpServerResponse.empty({ status: 404 })))
      const answer = yield* recent(request("/browse/site?site=new.dev"), make)
      assert.deepStrictEqual([answer.status, made()], [200, 1])
    }))

  it.effect("are forgotten, the oldest first, where there are many", () =>
    Effect.gen(function*() {
      const recent = makeRecentPages()
      const { made, make } = counter()
      for (let index = 0; index < 300; index++) yield* recent(request(`/browse/search?q=${index}`), make)
      yield* recent(request("/browse/search?q=299"), make)
      assert.strictEqual(made(), 300)
      yield* recent(request("/browse/search?q=0"), make)
      assert.strictEqual(made(), 301)
    }))
})
