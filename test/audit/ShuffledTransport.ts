import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { keyOf } from "../../engine/evidence/Journal.ts"
import { type HopRequest, Transport } from "../../engine/evidence/Transport.ts"

/** Milliseconds that an answer is held back at most. */
const LONGEST = 4

/**
 * Hands on what the transport below answers, each answer after a delay of its own, one to sixteen at a time: one seed, one
 * order of arrival. Some come at once, some after a turn of the event loop, most after a few milliseconds.
 */
export const shuffled = (seed: number): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const { send } = yield* Transport
      const turns = yield* Semaphore.make(1 + (seed % 16))
      return {
        send: (request: HopRequest) => {
          const dice = hash(`${seed} ${keyOf(request.asked)}`)
          const delay = dice % 5 === 1 ? Effect.yieldNow : Effect.sleep(dice % (LONGEST + 1))
          return turns.withPermits(1)(dice % 5 === 0 ? send(request) : Effect.andThen(delay, send(request)))
        }
      }
    })
  )

/** FNV-1a, 32 bits, its high bits folded into the low ones. */
const hash = (text: string): number => {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return (sum ^ (sum >>> 15)) >>> 0
}
