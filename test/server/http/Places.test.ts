import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { Unavailable } from "../../../server/api/Errors.ts"
import { makePlaces } from "../../../server/http/handlers/Places.ts"

describe("places", () => {
  it("are at most 4 of a client and 64 of all, until their requests end", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const begin = makePlaces({
          most: 64,
          mostOfClient: 4,
          refusal: new Unavailable({ error: "Full.", retryAfter: 1 })
        })
        const begun = Effect.fnUntraced(function* (client: string) {
          const scope = yield* Scope.make()
          const exit = yield* Effect.exit(Scope.provide(begin(client), scope))
          return { scope, isBegun: Exit.isSuccess(exit) }
        })
        const ofOne = yield* Effect.forEach(Array.from({ length: 5 }), () => begun("one"))
        expect(ofOne.map(({ isBegun }) => isBegun)).toEqual([true, true, true, true, false])
        const others = yield* Effect.forEach(Array.from({ length: 61 }), (_, index) => begun(`client ${index}`))
        expect(others.map(({ isBegun }) => isBegun)).toEqual([...Array.from({ length: 60 }, () => true), false])
        for (const { scope } of [...ofOne, ...others]) yield* Scope.close(scope, Exit.void)
        expect((yield* begun("one")).isBegun).toBe(true)
      })
    ))
})
