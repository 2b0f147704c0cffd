import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Corpus } from "../../engine/store/corpus/Corpus.ts"

/** How often a process folds finished runs into the figures of the corpus. */
export const CorpusFoldingInterval = Context.Reference<Duration.Input>("docgauge/server/CorpusFoldingInterval", {
  defaultValue: () => "1 second"
})

/** Keeps the figures of the corpus up to date. Every process does so, and one at a time has something to do. */
export const corpusFolding: Layer.Layer<never, never, Corpus> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { fold } = yield* Corpus
    yield* fold.pipe(
      Effect.ignoreCause({ log: "Warn", message: "could not count finished runs" }),
      Effect.delay(yield* CorpusFoldingInterval),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
