import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { type HopRequest, Transport } from "../../../engine/evidence/Transport.ts"
import { AskingNetwork, LookupTurns } from "../../../server/audits/LookupTurns.ts"
import { ClientDocuments, UNREADABLE } from "../../../server/oauth/OAuthClients.ts"

/** A transport in which hosts with `slow` in their names never answer and all others refuse at once; it tells what is under way. */
const makeTransport = () => {
  const underWay = new Set<string>()
  const refused = {
    _tag: "HopFault" as const,
    kind: "refused" as const,
    message: "the connection was refused",
    meta: { peer: null, sentAt: 0, firstByteMs: null, attempts: 1 }
  }
  const send = ({ asked: { url } }: HopRequest) =>
    Effect.suspend(() => {
      underWay.add(url)
      return url.includes("slow") ? Effect.never : Effect.succeed(refused)
    }).pipe(Effect.ensuring(Effect.sync(() => underWay.delete(url))))
  return { underWay, layer: Layer.succeed(Transport, { send }) }
}

const read = (host: string, network: string) =>
  ClientDocuments.use(({ read }) => read(`https://${host}/client.json`)).pipe(
    Effect.provideService(AskingNetwork, network)
  )

describe("documents of clients", () => {
  it.effect(
    "are fetched four at a time for all networks together, and a slow one makes room for those that wait",
    () => {
      const { layer, underWay } = makeTransport()
      return Effect.gen(function* () {
        const slow = yield* Effect.forEach(
          Array.from({ length: 10 }, (_, index) => index),
          (index) => Effect.forkChild(read(`a.site${index}.slow.dev`, `192.0.${index}.0/24`))
        )
        yield* TestClock.adjust("1 millis")
        expect([...underWay]).toEqual([0, 1, 2, 3].map((index) => `https://a.site${index}.slow.dev/client.json`))
        const quick = yield* Effect.forkChild(read("app.quick.dev", "203.0.113.0/24"))
        yield* TestClock.adjust("1 seconds")
        expect(underWay.size).toBe(4)
        // After 1.6 s and 3.2 s all that have a place make room, but for one of the second four, because no one waits any more.
        yield* TestClock.adjust("2500 millis")
        expect(underWay.size).toBe(3)
        expect(quick.pollUnsafe()).not.toBeUndefined()
        yield* TestClock.adjust("4 seconds")
        expect(underWay.size).toBe(0)
        for (const fiber of [...slow, quick]) expect(yield* Fiber.join(fiber)).toEqual(Result.fail(UNREADABLE))
      }).pipe(Effect.provide(ClientDocuments.layerOver.pipe(Layer.provide([layer, LookupTurns.layer]))))
    }
  )

  it.effect("are refused at once where 64 others are fetched or wait", () => {
    const { layer, underWay } = makeTransport()
    return Effect.gen(function* () {
      yield* Effect.forEach(
        Array.from({ length: 64 }, (_, index) => index),
        (index) => Effect.forkChild(read(`app.slow${index}.dev`, `192.0.${index}.0/24`))
      )
      yield* TestClock.adjust("1 millis")
      expect(yield* read("app.quick.dev", "203.0.113.0/24")).toEqual(Result.fail(UNREADABLE))
      expect(underWay.size).toBe(4)
    }).pipe(Effect.provide(ClientDocuments.layerOver.pipe(Layer.provide([layer, LookupTurns.layer]))))
  })

  it.effect("are fetched two at a time for one network, for 5 s at most, and keep no other network waiting", () => {
    const { layer, underWay } = makeTransport()
    return Effect.gen(function* () {
      const slow = yield* Effect.forEach([1, 2, 3, 4], (index) =>
        Effect.forkChild(read(`a.site${index}.slow.dev`, "192.0.2.0/24"))
      )
      yield* TestClock.adjust("1 millis")
      expect(underWay.size).toBe(2)
      expect(yield* read("app.quick.dev", "203.0.113.0/24")).toEqual(Result.fail(UNREADABLE))
      yield* TestClock.adjust("4 seconds")
      expect(underWay.size).toBe(2)
      yield* TestClock.adjust("1 seconds")
      expect(underWay.size).toBe(0)
      const outcomes = yield* Effect.forEach(slow, Fiber.join)
      expect(outcomes.map(Result.isFailure)).toEqual([true, true, true, true])
      expect(yield* read("app.quick.org", "192.0.2.0/24")).toEqual(Result.fail(UNREADABLE))
    }).pipe(Effect.provide(ClientDocuments.layerOver.pipe(Layer.provide([layer, LookupTurns.layer]))))
  })
})
