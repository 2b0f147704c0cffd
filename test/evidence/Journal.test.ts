import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { Asked } from "../../engine/evidence/Exchange.ts"
import { type Journal, makeJournal } from "../../engine/evidence/Journal.ts"
import type { Hop, HopRequest } from "../../engine/evidence/Transport.ts"

const META = { peer: null, sentAt: 0, firstByteMs: 0, attempts: 1 }

const asked = (path: string): Asked => ({
  method: "GET",
  url: `https://docs.example.com${path}`,
  accept: "*/*",
  agent: "docgauge"
})

const answerOf = (text: string, limitBytes: number, headers: ReadonlyArray<readonly [string, string]> = []): Hop => {
  const whole = new TextEncoder().encode(text)
  return {
    _tag: "HopAnswer",
    status: 200,
    headers,
    body: whole.slice(0, limitBytes),
    cut: whole.length > limitBytes,
    wireBytes: whole.length,
    meta: META
  }
}

const textOf = (hop: Hop): string => (hop._tag === "HopAnswer" ? new TextDecoder().decode(hop.body) : hop.kind)

const caller = (collector: string, ask = 0) => ({ collector, ask })

interface Scene {
  readonly journal: Journal
  readonly sent: ReadonlyArray<HopRequest>
}

/** A journal over a transport that answers as told; what was sent, in order. */
const withJournal = <A>(
  send: (request: HopRequest, count: number) => Effect.Effect<Hop>,
  body: (scene: Scene) => Effect.Effect<A>,
  gatherMs = 60_000
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sent: Array<HopRequest> = []
      const transport = { send: (request: HopRequest) => Effect.suspend(() => send(request, sent.push(request))) }
      const journal = yield* makeJournal(transport, yield* Effect.scope, gatherMs, () => undefined)
      return yield* body({ journal, sent })
    })
  )

const whole =
  (text: string) =>
  ({ limitBytes }: HopRequest) =>
    Effect.succeed(answerOf(text, limitBytes))

describe("Journal", () => {
  it.effect("sends a request once and lists everyone who asked for it, sorted", () =>
    withJournal(
      whole("text"),
      Effect.fnUntraced(function* ({ journal, sent }) {
        const request = { asked: asked("/a"), limitBytes: 100 }
        const hops = yield* Effect.forEach(["B1", "A1"], (name) => journal.send(request, caller(name)), {
          concurrency: 2
        })
        assert.deepStrictEqual(hops.map(textOf), ["text", "text"])
        assert.strictEqual(sent.length, 1)
        assert.deepStrictEqual(
          (yield* journal.entries).map(({ callers }) => callers),
          [["A1", "B1"]]
        )
      })
    )
  )

  it.effect("lists entries by request, in whatever order they were sent", () =>
    withJournal(
      whole(""),
      Effect.fnUntraced(function* ({ journal }) {
        for (const path of ["/c", "/a", "/b"])
          yield* journal.send({ asked: asked(path), limitBytes: 100 }, caller("A1"))
        assert.deepStrictEqual(
          (yield* journal.entries).map(({ request }) => new URL(request.asked.url).pathname),
          ["/a", "/b", "/c"]
        )
      })
    )
  )

  it.effect("gives a caller with a smaller limit the beginning of an answer that is there", () =>
    withJournal(
      whole("0123456789"),
      Effect.fnUntraced(function* ({ journal, sent }) {
        yield* journal.send({ asked: asked("/a"), limitBytes: 100 }, caller("A1"))
        const hop = yield* journal.send({ asked: asked("/a"), limitBytes: 4 }, caller("A2"))
        assert.deepStrictEqual([textOf(hop), hop._tag === "HopAnswer" && hop.cut, sent.length], ["0123", true, 1])
      })
    )
  )

  it.effect("fetches again, further, what a smaller limit cut short, and keeps the first headers", () =>
    withJournal(
      ({ limitBytes }, count) => Effect.succeed(answerOf("0123456789", limitBytes, [["x-count", String(count)]])),
      Effect.fnUntraced(function* ({ journal, sent }) {
        assert.strictEqual(textOf(yield* journal.send({ asked: asked("/a"), limitBytes: 4 }, caller("A1"))), "0123")
        const wide = yield* journal.send({ asked: asked("/a"), limitBytes: 100 }, caller("A2"))
        assert.strictEqual(textOf(wide), "0123456789")
        assert.deepStrictEqual(wide._tag === "HopAnswer" ? wide.headers : [], [["x-count", "1"]])
        assert.strictEqual(sent.length, 2)
        assert.deepStrictEqual(
          (yield* journal.entries).map(({ callers }) => callers),
          [["A1", "A2"]]
        )
      })
    )
  )

  it.effect("keeps the first answer where the second does not continue it", () =>
    withJournal(
      ({ limitBytes }, count) => Effect.succeed(answerOf(count === 1 ? "0123456789" : "another text", limitBytes)),
      Effect.fnUntraced(function* ({ journal }) {
        yield* journal.send({ asked: asked("/a"), limitBytes: 4 }, caller("A1"))
        assert.strictEqual(textOf(yield* journal.send({ asked: asked("/a"), limitBytes: 100 }, caller("A2"))), "0123")
      })
    )
  )

  it.effect("sends again for a later caller what was cancelled before it was sent", () =>
    withJournal(
      (request, count) =>
        Effect.succeed<Hop>(
          count === 1
            ? { _tag: "HopFault", kind: "budget", message: "not wanted", meta: META }
            : answerOf("text", request.limitBytes)
        ),
      Effect.fnUntraced(function* ({ journal, sent }) {
        const request = { asked: asked("/a"), limitBytes: 100 }
        assert.strictEqual(textOf(yield* journal.send({ ...request, wanted: () => false }, caller("A1"))), "budget")
        assert.deepStrictEqual(yield* journal.entries, [])
        assert.strictEqual(textOf(yield* journal.send(request, caller("A2"))), "text")
        assert.strictEqual(sent.length, 2)
      })
    )
  )

  it.effect("keeps an answer for the others when one caller is interrupted", () =>
    Effect.flatMap(Deferred.make<Hop>(), (answer) =>
      withJournal(
        () => Deferred.await(answer),
        Effect.fnUntraced(function* ({ journal, sent }) {
          const request = { asked: asked("/a"), limitBytes: 100 }
          const first = yield* Effect.forkChild(journal.send(request, caller("A1")), { startImmediately: true })
          const second = yield* Effect.forkChild(journal.send(request, caller("A2")), { startImmediately: true })
          yield* Fiber.interrupt(first)
          yield* Deferred.succeed(answer, answerOf("text", 100))
          assert.strictEqual(textOf(yield* Fiber.join(second)), "text")
          assert.strictEqual(sent.length, 1)
        })
      )
    )
  )

  it.effect("frees a body only when every caller has no room for it, and remembers its length", () =>
    withJournal(
      whole("0123456789"),
      Effect.fnUntraced(function* ({ journal }) {
        const request = { asked: asked("/a"), limitBytes: 100 }
        yield* journal.send(request, caller("A1"))
        yield* journal.send(request, caller("A2"))
        journal.settle(request.asked, caller("A1"), false)
        assert.deepStrictEqual(
          (yield* journal.entries).map(({ hop }) => textOf(hop)),
          ["0123456789"]
        )
        journal.settle(request.asked, caller("A2"), false)
        const [entry] = yield* journal.entries
        assert.deepInclude(entry?.hop, { body: new Uint8Array(0), cut: true, droppedBytes: 10 })
        assert.isFalse(entry?.seen)
      })
    )
  )

  it.effect("marks as seen what one caller kept, and keeps its body", () =>
    withJournal(
      whole("text"),
      Effect.fnUntraced(function* ({ journal }) {
        const request = { asked: asked("/a"), limitBytes: 100 }
        yield* journal.send(request, caller("A1"))
        yield* journal.send(request, caller("A2"))
        journal.settle(request.asked, caller("A1"), true)
        journal.settle(request.asked, caller("A2"), false)
        assert.deepStrictEqual(
          (yield* journal.entries).map(({ hop, seen }) => [textOf(hop), seen]),
          [["text", true]]
        )
      })
    )
  )

  it.effect("answers every request with a deadline fault once gathering time is over", () =>
    withJournal(
      () => Effect.never,
      Effect.fnUntraced(function* ({ journal, sent }) {
        const hanging = yield* Effect.forkChild(journal.send({ asked: asked("/a"), limitBytes: 100 }, caller("A1")), {
          startImmediately: true
        })
        yield* TestClock.adjust(1_000)
        assert.strictEqual(textOf(yield* Fiber.join(hanging)), "deadline")
        assert.strictEqual(
          textOf(yield* journal.send({ asked: asked("/b"), limitBytes: 100 }, caller("A1"))),
          "deadline"
        )
        assert.strictEqual(sent.length, 1)
      }),
      1_000
    )
  )
})
