import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import { defaultLimits } from "../../../engine/evidence/FetchLimits.ts"
import type { SpecInput } from "../../../engine/apispec/ApiSpec.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"

export interface ParsingDelay {
  /** From asking to the answer, in milliseconds. */
  readonly tookMs: number
  /** What the main thread's event loop was held up meanwhile, 99th percentile, in milliseconds. */
  readonly p99Ms: number
}

/** Reads an API description as an audit does, and watches the main thread meanwhile. */
export const parsingDelay = (bytes: Uint8Array): Promise<ParsingDelay> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const parsing = yield* ParserPool
      const input: SpecInput = {
        document: { url: "https://docs.example.com/openapi.json", mediaType: "application/json", bytes, cut: false },
        others: [],
        absent: [],
        limits: defaultLimits
      }
      const delay = monitorEventLoopDelay({ resolution: 1 })
      const before = performance.now()
      delay.enable()
      yield* parsing.spec(input)
      delay.disable()
      return { tookMs: performance.now() - before, p99Ms: delay.percentile(99) / 1e6 }
    }).pipe(Effect.provide(ParserPool.layer))
  )
