import { expect, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerMemory } from "../../../engine/store/runs/MemoryRunStore.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { audited, newRun } from "../SampleRuns.ts"

it.effect("evicts finished runs beyond its limit, and never unfinished ones", () =>
  Effect.provide(
    Effect.gen(function* () {
      const store = yield* RunStore
      const underWay = yield* store.accept(newRun("slow.example.com"))
      const first = yield* audited(newRun("a.example.com"), 1)
      for (let index = 0; index < 600; index++) yield* audited(newRun("b.example.com"), index % 100)
      expect(yield* store.find(first.id)).toBeNull()
      expect(yield* store.find(underWay.id)).toEqual(underWay)
    }),
    layerMemory.pipe(Layer.provide(SecureRandom.layerWebCrypto))
  )
)
