import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { planFor } from "../audit/Plan.ts"
import type { Criterion, Finding } from "../criterion/Criterion.ts"
import type { FactFields, FactValues } from "../criterion/Fact.ts"
import { normalise, siteOf } from "../evidence/Address.ts"
import { Evidence } from "../evidence/Evidence.ts"
import { type Asked, type Exchange, isAnswer } from "../evidence/Exchange.ts"
import { defaultLimits, FetchLimits } from "../evidence/FetchLimits.ts"
import { type JournalEntry, keyOf } from "../evidence/Journal.ts"
import { gatherBase } from "../site/Base.ts"
import { Parsing } from "../site/Parsing.ts"
import { makeSite } from "../site/Site.ts"
import { FAKE_HOST, type FakeSite, layerFakeSite } from "./FakeSite.ts"

/** The circumstances of a run; what is left out is as in a real audit. */
export interface RunOptions {
  readonly site: FakeSite
  /** The audited address, absolute or a path; `/` unless given. */
  readonly url?: string
  /** The run's date; 2026-06-15 unless given. */
  readonly date?: string
  readonly sampleSize?: number
  readonly limits?: Partial<FetchLimits>
  /** See `FakeSiteOptions.seed`. */
  readonly seed?: number
}

/** What measuring came to, and what was fetched for it. */
export interface CriterionRun<Fields extends FactFields> {
  /** `null` where the plugin said that its evidence could not be had. */
  readonly facts: FactValues<Fields> | null
  /** The plugin's findings; where evidence could not be had, one that says so. */
  readonly findings: readonly [Finding, ...ReadonlyArray<Finding>]
  readonly journal: ReadonlyArray<JournalEntry>
}

/**
 * Runs one plugin against a fake site, by the real path: the evidence door with the audit's reservations, the site's
 * derivations, the parsers. `params` are read by the plugin's schema, as those of the rubric are.
 */
export const runCriterion = <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  rubricId: string,
  params: Readonly<Record<string, unknown>>,
  options: RunOptions
): Effect.Effect<CriterionRun<Fields>> => {
  const audited = normalise(options.url ?? "/", FAKE_HOST) ?? FAKE_HOST
  const limits: FetchLimits = Object.assign({}, defaultLimits, options.limits)
  const sampleSize = options.sampleSize ?? 20
  const date = options.date ?? "2026-06-15"
  const evidence = Evidence.layer({ site: siteOf(new URL(audited).hostname), canonicalOrigin: null, allowanceOf: planFor(limits, sampleSize) })
  const transport = layerFakeSite(options.site, options.seed === undefined ? {} : { seed: options.seed })
  return Effect.gen(function*() {
    const door = yield* Evidence
    const parsing = yield* Parsing
    const base = yield* gatherBase(door.collector("site/base"), parsing, audited)
    const site = yield* makeSite({ base, date, sampleSize })
    if (!Schema.is(criterion.params)(params)) return yield* Effect.die(new Error(`${criterion.id}: wrong params`))
    const outcome = yield* Effect.result(criterion.measure(site.for(rubricId), params))
    const journal = yield* door.journal
    if (Result.isSuccess(outcome)) return { ...outcome.success, journal }
    const { exchange, message } = outcome.failure
    return { facts: null, findings: [{ good: false, message, proof: exchange }] as const, journal }
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.mergeAll(evidence.pipe(Layer.provide(transport)), Parsing.layerInline)),
    Effect.provideService(FetchLimits, limits)
  )
}

/** Never contacted for want of permission or of budget: the refusal itself is the proof. */
const NEVER_SENT = new Set(["off_site", "bad_address", "budget"])

/** Whether the exchange is one of those of the journal: the same request, the same final address and outcome. */
export const wasFetched = (journal: ReadonlyArray<JournalEntry>, proof: Exchange): boolean => {
  if (!isAnswer(proof) && NEVER_SENT.has(proof.kind)) return true
  const last: Asked = { ...proof.asked, url: proof.url }
  const keys = [keyOf(proof.asked), keyOf(last)]
  const entries = keys.map((key) => journal.find(({ request }) => keyOf(request.asked) === key))
  if (entries.includes(undefined)) return false
  const hop = entries[1]?.hop
  return !isAnswer(proof) || (hop?._tag === "HopAnswer" && hop.status === proof.status)
}
