import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { ConnectionOpened, underWay } from "../../engine/evidence/Transport.ts"

it.effect("goes on once the connection of a request is open, and leaves the answer to be awaited", () =>
  Effect.gen(function* () {
    const answer = yield* Deferred.make<string>()
    const asking = yield* underWay(
      Effect.flatMap(ConnectionOpened, (opened) => {
        opened()
        return Deferred.await(answer)
      })
    )
    yield* Deferred.succeed(answer, "200")
    expect(yield* Fiber.join(asking)).toBe("200")
  })
)

it.effect("goes on with the answer where no connection is told of, as in an archive", () =>
  Effect.gen(function* () {
    const asking = yield* underWay(Effect.succeed("from an archive"))
    expect(yield* Fiber.join(asking)).toBe("from an archive")
  })
)
