import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { makeWorkerSlot, type WorkerFailure } from "../../engine/site/WorkerSlot.ts"
import type { CardAnswer } from "./CardWorker.ts"
import type { ShareCard } from "./ShareCard.ts"

/** An image cannot be had. `not_installed` stays so until the service is set up otherwise; the others pass. */
export class NoImage extends Data.TaggedError("NoImage")<{ readonly reason: "not_installed" | "busy" | WorkerFailure }> {}

/** Share images as PNG, drawn in a thread of its own, one after the other. */
export class ShareImages extends Context.Service<ShareImages, {
  /**
   * Whoever asks for the same key while it is drawn gets the same image: the same key has to mean the same card. To stop
   * waiting does not stop the drawing.
   */
  readonly draw: (key: string, card: ShareCard) => Effect.Effect<Uint8Array, NoImage>
  /**
   * Loads what draws, once, and does not keep the caller waiting: for whoever hands out the address of an image. A service
   * that nobody reads reports of does without the thread and its memory.
   */
  readonly prepare: Effect.Effect<void>
}>()("docgauge/images/ShareImages") {
  static readonly layer: Layer.Layer<ShareImages> = Layer.effect(
    ShareImages,
    Effect.gen(function*() {
      const scope = yield* Effect.scope
      const slot = yield* makeWorkerSlot<ShareCard, CardAnswer>({ thread: { entry: WORKER, limits: MEMORY }, milliseconds: LONGEST_MS })
      const underWay = new Map<string, Fiber.Fiber<Uint8Array, NoImage>>()

      const draw = (card: ShareCard): Effect.Effect<Uint8Array, NoImage> =>
        slot.ask(() => ({ message: card, transfer: [], last: false })).pipe(
          Effect.mapError((reason) => new NoImage({ reason })),
          Effect.tapError(({ reason }) => Effect.logWarning(`a share image could not be drawn: ${reason}`)),
          Effect.flatMap(imageOf)
        )

      const begin = (key: string, card: ShareCard): Effect.Effect<Fiber.Fiber<Uint8Array, NoImage>> =>
        draw(card).pipe(
          Effect.ensuring(Effect.sync(() => underWay.delete(key))),
          Effect.forkIn(scope),
          Effect.tap((fiber) => Effect.sync(() => underWay.set(key, fiber)))
        )

      let isPrepared = false
      const prepare = Effect.suspend(() => {
        if (isPrepared) return Effect.void
        isPrepared = true
        return Effect.asVoid(Effect.forkIn(Effect.catchTag(draw(SAMPLE), "NoImage", tellIfMissing), scope))
      })

      return {
        prepare,
        draw: (key, card) => Effect.suspend(() => {
          const fiber = underWay.get(key)
          if (fiber !== undefined) return Fiber.join(fiber)
          return underWay.size < MOST_WAITING ? Effect.flatMap(begin(key, card), Fiber.join) : Effect.fail(new NoImage({ reason: "busy" }))
        })
      }
    })
  )
}

const imageOf = (answer: CardAnswer): Effect.Effect<Uint8Array, NoImage> =>
  answer._tag === "Drawn" ? Effect.succeed(answer.png) : Effect.fail(new NoImage({ reason: "not_installed" }))

const tellIfMissing = ({ reason }: NoImage): Effect.Effect<void> =>
  reason === "not_installed" ? Effect.logWarning("@resvg/resvg-js is not installed: there are no share images") : Effect.void

/** The thread's file: `.ts` where this one runs from source, `.js` where it was built. */
const WORKER = new URL(`./CardWorker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** Little for the young: what draws has megabytes outside of this memory for each image, which go when the young are looked through. */
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

/** An image takes less than a tenth of a second; one that takes this long is made to. */
const LONGEST_MS = 10_000

/** Whoever comes as one more than these would wait for longer than it takes to ask again. */
const MOST_WAITING = 16

/** The first image takes most of a second, for what draws has to be loaded. */
const SAMPLE: ShareCard = {
  site: "docs.example.com",
  state: { _tag: "Done", score: 50, max: 100, level: "Workable", date: "2026-01-01", categories: [{ title: "Discovery", score: 5, max: 10 }] }
}
