import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StoredReport } from "../../engine/store/Run.ts"
import { RunStore, type StoreUnavailable } from "../../engine/store/RunStore.ts"
import { JSON_TYPE, LastingAnswer } from "./Answers.ts"
import { CodedBody } from "./CodedBody.ts"
import { diagnosticsOf } from "./Diagnostics.ts"
import { bodyWithReport, shareLinkOf } from "./RunBodies.ts"

/** A finished run as it is sent: it never changes any more. */
export interface FinishedRun {
  readonly id: string
  /** The report, byte for byte as it was kept. */
  readonly report: CodedBody
  /** The headers of an answer that is the report. */
  readonly reportHeaders: Readonly<Record<string, string>>
  /** The body of the run, with the report in it. */
  readonly run: CodedBody
  /** The answer to whoever reads the run. */
  readonly runAnswer: LastingAnswer
  /** The answer to whoever asks for an audit that this one stands for. */
  readonly replay: LastingAnswer
}

/** Finished runs, the hot ones from memory. */
export class FinishedRuns extends Context.Service<FinishedRuns, {
  /** From memory, where it is there. */
  readonly peek: (id: string) => FinishedRun | undefined
  /** `null` unless the run is `done`. */
  readonly get: (id: string) => Effect.Effect<FinishedRun | null, StoreUnavailable>
  /** Forgets all of them: what the store has of some has changed after all. */
  readonly forget: () => void
}>()("docgauge/server/FinishedRuns") {
  static readonly layer: Layer.Layer<FinishedRuns, never, RunStore> = Layer.effect(
    FinishedRuns,
    Effect.map(RunStore, (store) => {
      const kept = makeShelf(MOST_BYTES)
      return {
        peek: kept.get,
        get: (id) => {
          const hot = kept.get(id)
          if (hot !== undefined) return Effect.succeed(hot)
          const { age } = kept
          return Effect.map(store.report(id), (stored) => {
            if (stored === null) return null
            const run = finishedOf(stored)
            // What was read before all was forgotten may be what was to be forgotten.
            return kept.age === age ? kept.put(run) : run
          })
        },
        forget: kept.clear
      }
    })
  )
}

/** Bodies that are kept in memory take this many bytes at most, their compressed forms counted with what they will take. */
const MOST_BYTES = 16 * 1_024 * 1_024

/** Compressed forms together take less than this share of the plain one. */
const COMPRESSED_SHARE = 0.5

const costOf = ({ report, run }: FinishedRun): number => (report.size + run.size) * (1 + COMPRESSED_SHARE)

/** The runs that were asked for last; a Map keeps the order in which they were put there. */
const makeShelf = (mostBytes: number) => {
  const places = new Map<string, { readonly run: FinishedRun; readonly cost: number }>()
  let bytes = 0
  let age = 0

  const drop = (id: string): void => {
    bytes -= places.get(id)?.cost ?? 0
    places.delete(id)
  }

  return {
    /** How often it was cleared. */
    get age() { return age },
    clear: (): void => {
      places.clear()
      bytes = 0
      age += 1
    },
    get: (id: string): FinishedRun | undefined => {
      const place = places.get(id)
      if (place === undefined) return undefined
      places.delete(id)
      places.set(id, place)
      return place.run
    },
    put: (run: FinishedRun): FinishedRun => {
      drop(run.id)
      const cost = costOf(run)
      places.set(run.id, { run, cost })
      bytes += cost
      for (const oldest of places.keys()) {
        if (bytes <= mostBytes || oldest === run.id) break
        drop(oldest)
      }
      return run
    }
  }
}

const finishedOf = (stored: StoredReport): FinishedRun => {
  const report = new CodedBody(stored.encoded)
  const run = new CodedBody(bodyWithReport(stored.run, stored.encoded))
  const reportHeaders = headersOf(stored)
  return {
    id: stored.run.id,
    report,
    reportHeaders,
    run,
    runAnswer: new LastingAnswer(run, NOT_KEPT),
    replay: new LastingAnswer(report, { ...reportHeaders, "x-audit-cache": "HIT" })
  }
}

const NOT_KEPT = { "content-type": JSON_TYPE, "cache-control": "no-store" }

const headersOf = (stored: StoredReport): Readonly<Record<string, string>> => {
  const diagnostics = diagnosticsOf(stored)
  return {
    ...NOT_KEPT,
    "x-audit-run-id": stored.run.id,
    link: shareLinkOf(stored.run.id),
    ...(diagnostics === null ? {} : { "x-audit-diagnostics": diagnostics })
  }
}
