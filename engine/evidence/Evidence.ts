import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Allowance } from "./AuditBudget.ts"
import { type Collector, makeCollector, type ReadRobots, type Shortfall, type SiteBounds } from "./Collector.ts"
import { FetchLimits } from "./FetchLimits.ts"
import { type JournalEntry, type JournalListener, makeJournal } from "./Journal.ts"
import { Transport } from "./Transport.ts"

export interface EvidenceOptions extends SiteBounds {
  /** What the collector of that name may spend. */
  readonly allowanceOf: (collector: string) => Allowance
  readonly readRobots?: ReadRobots
  readonly listen?: JournalListener
}

/**
 * The only way to the audited site. Each request is sent once per audit (by method, normalised URL and the headers that matter), and
 * concurrent callers share it; redirects are followed by hand, each hop cached and checked.
 */
export class Evidence extends Context.Service<
  Evidence,
  {
    /** The collector of that name, made on first use with the reservation that the plan has for it. */
    readonly collector: (name: string) => Collector
    /** Everything sent so far, in a defined order. */
    readonly journal: Effect.Effect<ReadonlyArray<JournalEntry>>
    /** Limits that bit so far, by collector and reason. */
    readonly shortfalls: Effect.Effect<ReadonlyArray<Shortfall>>
  }
>()("docgauge/evidence/Evidence") {
  static readonly layer = (options: EvidenceOptions): Layer.Layer<Evidence, never, Transport> =>
    Layer.effect(
      Evidence,
      Effect.gen(function* () {
        const limits = yield* FetchLimits
        const scope = yield* Effect.scope
        const journal = yield* makeJournal(yield* Transport, scope, limits.gatherMs, options.listen ?? (() => {}))
        const collectors = new Map<string, Collector>()
        const short = new Map<string, Shortfall>()
        const fallShort = (collector: string, reason: Shortfall["reason"]) => {
          const key = `${collector} ${reason}`
          short.set(key, { collector, reason, count: (short.get(key)?.count ?? 0) + 1 })
        }
        const collector = (name: string): Collector => {
          const known = collectors.get(name)
          if (known !== undefined) return known
          const made = makeCollector({
            ...options,
            name,
            limits,
            scope,
            fallShort,
            journal,
            allowance: options.allowanceOf(name)
          })
          collectors.set(name, made)
          return made
        }
        const shortfalls = Effect.sync(() =>
          [...short].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item)
        )
        return Evidence.of({ collector, journal: journal.entries, shortfalls })
      })
    )
}
