import { readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runAudit } from "../../../engine/audit/Audit.ts"
import { ENGINE_VERSION } from "../../../engine/audit/Version.ts"
import { FetchLimits, limitsWith } from "../../../engine/evidence/FetchLimits.ts"
import { guardedHttp } from "../../../engine/evidence/http/GuardedHttp.ts"
import { Transport } from "../../../engine/evidence/Transport.ts"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { ParserPool } from "../../../engine/parse/ParserPool.ts"
import { plugins } from "../../../plugins/index.ts"

/** How our own audit of a site hangs together. */
export interface Chain {
  /** Requests of which each needed the answer to the one before. */
  readonly length: number
  readonly requests: number
}

/** Nothing was asked for so long, in milliseconds: whatever follows waits for an answer. */
const QUIET = 150

/**
 * The longest chain of dependent requests of an audit. All that is asked for is held back until nothing more is asked
 * without an answer, and then sent at once: the number of such waves is the length of the chain.
 */
export const longestChain = async (url: string): Promise<Chain> => {
  const limits = limitsWith({ perHost: 200 })
  const network = guardedHttp({
    resolve: [],
    allowPrivate: true,
    allowHttp: true,
    userAgents: userAgents(ENGINE_VERSION, null)
  })
  const waves = { count: 0, requests: 0 }
  const file = join(import.meta.dirname, "../../../rubric.yaml")
  const rubric = await Effect.runPromise(loadRubric(await readFile(file), file, plugins))
  const audit = runAudit({ url, date: "2026-01-01", sampleSize: 20, canonicalOrigin: null, rubric })
  await Effect.runPromise(
    audit.pipe(
      Effect.ignore,
      Effect.provide(Layer.mergeAll(inWaves(waves).pipe(Layer.provide(network)), ParserPool.layerInline)),
      Effect.provideService(FetchLimits, limits)
    )
  )
  return { length: waves.count, requests: waves.requests }
}

const inWaves = (waves: { count: number; requests: number }): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(
    Transport,
    Effect.gen(function* () {
      const inner = yield* Transport
      let held: Array<() => void> = []
      let underWay = 0
      let timer: NodeJS.Timeout | undefined

      const release = (): void => {
        if (underWay > 0 || held.length === 0) return
        waves.count += 1
        underWay = held.length
        const ready = held
        held = []
        for (const go of ready) go()
      }
      const wait = (): void => {
        clearTimeout(timer)
        timer = setTimeout(release, QUIET)
      }
      const turn = Effect.callback<void>((resume) => {
        held.push(() => resume(Effect.void))
        waves.requests += 1
        wait()
      })
      const done = Effect.sync(() => {
        underWay -= 1
        wait()
      })
      return Transport.of({ send: (request) => Effect.flatMap(turn, () => Effect.ensuring(inner.send(request), done)) })
    })
  )
