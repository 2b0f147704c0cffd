import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { corpusFolding, CorpusFoldingInterval } from "../../../server/background/CorpusUpkeep.ts"

it.live("the figures of the corpus are kept up to date after a bug ended an attempt", () =>
  Effect.gen(function* () {
    let attempts = 0
    const counted = Latch.makeUnsafe(false)
    const fold = Effect.suspend(() => (++attempts === 1 ? Effect.die(new Error("no such table")) : counted.open))
    const corpus = Layer.effect(
      Corpus,
      Effect.map(Corpus, (none) => ({ ...none, fold }))
    ).pipe(Layer.provide(Corpus.layerNone))
    yield* Layer.build(corpusFolding.pipe(Layer.provide(corpus)))
    yield* counted.await
    expect(attempts).toBeGreaterThan(1)
  }).pipe(Effect.provideService(CorpusFoldingInterval, "1 millis"), Effect.scoped)
)
