import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeSingleWorker, type WorkerFailure } from "../../engine/worker/SingleWorker.ts"
import { makeSingleFlight } from "../response/SingleFlight.ts"
import type { CardAnswer, ShareCard } from "./CardWorker.ts"

/** There is no image. `not_installed` is permanent until the operator installs the package; the others pass. */
export class NoImage extends Data.TaggedError("NoImage")<{
  readonly reason: "not_installed" | "busy" | WorkerFailure
}> {}

/** Share images as PNG, drawn one after the other in a worker thread. */
export class ShareImages extends Context.Service<
  ShareImages,
  {
    /**
     * Concurrent calls with one key share one image, so each card needs its own key. Interrupting a call does not stop the
     * drawing.
     */
    readonly draw: (key: string, card: ShareCard) => Effect.Effect<Uint8Array, NoImage>
    /**
     * Starts the worker thread in the background, once; call it when a page links to an image. A service whose reports are
     * not read then needs no thread and none of its memory.
     */
    readonly prepare: Effect.Effect<void>
  }
>()("docgauge/images/ShareImages") {
  static readonly layer: Layer.Layer<ShareImages> = Layer.effect(
    ShareImages,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const slot = yield* makeSingleWorker<ShareCard, CardAnswer>({
        thread: { entry: WORKER, limits: MEMORY },
        milliseconds: LONGEST_MS
      })
      const underWay = yield* makeSingleFlight<Uint8Array, NoImage>()

      const draw = (card: ShareCard): Effect.Effect<Uint8Array, NoImage> =>
        slot
          .ask(() => ({ message: card, transfer: [], last: false }))
          .pipe(
            Effect.mapError((reason) => new NoImage({ reason })),
            Effect.tapError(({ reason }) => Effect.logWarning(`a share image could not be drawn: ${reason}`)),
            Effect.flatMap(imageOf)
          )

      let isPrepared = false
      const prepare = Effect.suspend(() => {
        if (isPrepared) return Effect.void
        isPrepared = true
        return Effect.asVoid(Effect.forkIn(Effect.catchTag(draw(SAMPLE), "NoImage", tellIfMissing), scope))
      })

      return {
        prepare,
        draw: (key, card) =>
          Effect.suspend(() =>
            !underWay.has(key) && underWay.size() >= MAX_WAITING
              ? Effect.fail(new NoImage({ reason: "busy" }))
              : underWay.run(key, draw(card))
          )
      }
    })
  )
}

const imageOf = (answer: CardAnswer): Effect.Effect<Uint8Array, NoImage> =>
  answer._tag === "Drawn" ? Effect.succeed(answer.png) : Effect.fail(new NoImage({ reason: "not_installed" }))

const tellIfMissing = ({ reason }: NoImage): Effect.Effect<void> =>
  reason === "not_installed"
    ? Effect.logWarning("@resvg/resvg-js is not installed, so there are no share images")
    : Effect.void

/** The thread's file: `.ts` if this file runs from source, `.js` if it was built. */
const WORKER = new URL(`./CardWorker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** A small young generation: each image has megabytes outside the heap, which are freed when the young generation is collected. The old generation is a guard, not a tuning. */
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

/** An image takes less than 100 ms; one that takes this long was crafted to. */
const LONGEST_MS = 10_000

/** Beyond this many waiting images, a retry is faster than the queue. */
const MAX_WAITING = 16

/** The first image takes most of a second, because the renderer has to be loaded. */
const SAMPLE: ShareCard = {
  site: "docs.example.com",
  state: {
    _tag: "Done",
    score: 50,
    max: 100,
    reliable: true,
    level: "Workable",
    date: "2026-01-01",
    categories: [{ title: "Discovery", score: 5, max: 10 }]
  }
}
