import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RubricVersions } from "../../engine/store/snapshots/ExportedSite.ts"
import { Snapshots } from "../../engine/store/snapshots/Snapshots.ts"
import { ReleasedRubrics, RubricInForce } from "../config/RubricInForce.ts"
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

/** How often a process looks whether a snapshot of this week is missing. */
export const SnapshotInterval = Context.Reference<Duration.Input>("docgauge/server/SnapshotInterval", {
  defaultValue: () => "1 minute"
})

/** Makes what can be downloaded of the corpus, once a week. Every process looks, and one of them makes it. */
const snapshots = Layer.effectDiscard(
  Effect.gen(function* () {
    const { areKept, make } = yield* Snapshots
    if (!areKept) return
    const { releases } = yield* ReleasedRubrics
    const { digest, rubric } = yield* RubricInForce

    const names = Effect.map(
      releases,
      (all): RubricVersions =>
        new Map([...all, { digest, rubric }].map(({ digest, rubric: { id, version } }) => [digest, { id, version }]))
    )

    const look = Effect.gen(function* () {
      const pass = yield* make(names)
      if (pass._tag === "Made")
        yield* Effect.logInfo(`made the snapshot of ${pass.week}: ${pass.sites} sites can be downloaded`)
      if (pass._tag === "Abandoned")
        yield* Effect.logInfo("the corpus changed while its snapshot was made: it is made again")
    })
    yield* look.pipe(
      Effect.ignoreCause({ log: "Warn", message: "could not make the snapshot of the corpus" }),
      Effect.delay(yield* SnapshotInterval),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

export const weeklySnapshots = snapshots.pipe(Layer.provide(ReleasedRubrics.layerOf()))
