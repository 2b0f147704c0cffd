import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { setFlagsFromString } from "node:v8"
import { BodyAdmission } from "../evidence/http/BodyAdmission.ts"

/** Bytes of kept bodies after which garbage is collected. */
const COLLECT_AFTER = 8 * 1024 * 1024

/**
 * When garbage is collected first of an audit that waits, in milliseconds after it asked; each further wait is twice as long. On an idle
 * machine its first pages have been read after the first, on a busy one after the third or fourth.
 */
const COLLECT_WAITING_MS = 500

/** When garbage is collected after an audit, in milliseconds. */
const COLLECT_ENDED_MS = 200

/**
 * `admission`, with memory saved from when an audit asks for permission to hold many bytes until its end: heaps grow by small steps, and
 * garbage is collected while it waits and as it holds more. That takes 15 % more CPU, which small sites, that never ask, do not
 * pay; four audits of 50 MB sites at once need 460 MB instead of 620 (test/bench/memory.ts).
 */
export const savingMemory = (admission: BodyAdmission): Layer.Layer<never> =>
  Layer.effect(
    BodyAdmission,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => makeSaving(admission)),
        ({ end }) => Effect.sync(end)
      ),
      ({ saving }) => saving
    )
  )

const makeSaving = (admission: BodyAdmission) => {
  let isSaving = false
  let uncollected = 0
  let collecting: NodeJS.Timeout | undefined
  const collectAfter = (ms: number): void => {
    collecting = setTimeout(() => {
      collect()
      collectAfter(2 * ms)
    }, ms).unref()
  }
  const begin = (waiting: Promise<void>): void => {
    isSaving = true
    // Node lets V8 read this flag at any time.
    setFlagsFromString("--optimize-for-size")
    collectAfter(COLLECT_WAITING_MS)
    const stop = (): void => clearTimeout(collecting)
    waiting.then(stop, stop)
  }
  const saving: BodyAdmission = {
    admit: (bytes) => {
      const waiting = admission.admit(bytes)
      if (waiting !== null && !isSaving) begin(waiting)
      return waiting
    },
    keep: (bytes) => {
      admission.keep(bytes)
      uncollected += bytes
      if (uncollected < COLLECT_AFTER) return
      uncollected = 0
      collect()
    }
  }
  const end = (): void => {
    clearTimeout(collecting)
    if (!isSaving) return
    setFlagsFromString("--no-optimize-for-size")
    // What the audit held can be collected only once its report has been sent.
    setTimeout(collect, COLLECT_ENDED_MS).unref()
  }
  return { saving, end }
}

/** There is no `gc` where the process was started without `--expose-gc`, as in tests. */
const collect = (): void => {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" })
}
