import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Criterion, Finding, Measurement, Unobtainable } from "../plugin/Criterion.ts"
import {
  type FactFields,
  type FactRecord,
  type FactValues,
  type UncertainRecord,
  uncertainRecord
} from "../plugin/Fact.ts"
import { factsFault, findingFaults, uncertainFault } from "../external/ExternalMessage.ts"
import { normalise, siteOf } from "../evidence/Address.ts"
import { type Budget, criterionSpender, makeAuditBudget, USUAL_SAMPLE } from "../evidence/AuditBudget.ts"
import { Evidence } from "../evidence/Evidence.ts"
import type { Exchange } from "../evidence/Exchange.ts"
import { defaultLimits, FetchLimits } from "../evidence/FetchLimits.ts"
import type { JournalEntry } from "../evidence/Journal.ts"
import { baseSpender, gatherBase } from "../site/base/Base.ts"
import { ParserPool } from "../parse/ParserPool.ts"
import { siteSpenders } from "../site/Derivations.ts"
import { makeSite, type Site } from "../site/Site.ts"
import { FAKE_HOST, type FakeSite, layerFakeSite } from "./FakeSite.ts"
import { judge, type Judgement } from "../audit/Score.ts"
import { compilerFor, type Condition } from "../rubric/condition/Condition.ts"
import type { Level } from "../rubric/definition/Rubric.ts"
import { readSource } from "../rubric/RubricSource.ts"
import { isExternal } from "../external/ExternalPlugins.ts"

/** The part of a criterion's rubric entry that judges it. */
export interface CriterionEntry {
  /** Such as `A1`. */
  readonly id: string
  readonly params: Readonly<Record<string, unknown>>
  /** How the rubric names an external plugin, which the engine runs in a thread; `null` for one of ours. */
  readonly external: { readonly name: string; readonly rubricFile: string } | null
  readonly levels: ReadonlyArray<Pick<Level, "status" | "earns">>
  /** What these facts come to. */
  readonly earns: (facts: FactRecord, uncertain?: UncertainRecord) => CaseResult
}

/**
 * The points of the level that is reached, which identify it; `partial`: the level of that status that earns nothing;
 * `inconclusive`: the level depends on uncertain facts.
 */
export type CaseResult = number | "partial" | "inconclusive"

/** The result by which a case reaches a level. */
export const resultOfLevel = ({ earns, status }: Pick<Level, "status" | "earns">): CaseResult =>
  status === "partial" && earns === 0 ? "partial" : earns

/** The rubric of the source tree, or of the package. */
const RUBRIC = new URL(import.meta.url.endsWith(".ts") ? "../../rubric.yaml" : "../rubric.yaml", import.meta.url)

/**
 * The entry for one plugin in a rubric, with its conditions checked against the plugin's facts. In an author's own file, which
 * names plugins by path, it is the entry of that module or with that name after `#`. Errors in other entries are ignored. Throws
 * if there is no entry or a condition does not compile.
 */
export const criterionEntryOf = (
  criterion: { readonly id: string; readonly facts: FactFields },
  file: string | URL = RUBRIC
): CriterionEntry => {
  const { decoded } = Effect.runSync(readSource(readFileSync(file), pathOf(file)))
  const rubric = Result.getOrThrowWith(
    decoded,
    () => new Error(`${pathOf(file)} is not a rubric; docgauge rubric check lists what is wrong with it`)
  )
  const entries = [...rubric.categories.flatMap(({ criteria }) => criteria), ...(rubric.experimental ?? [])]
  const entry = entries.find(({ plugin }) => nameOf(plugin) === criterion.id)
  if (entry === undefined) throw new Error(`the rubric has no criterion for ${criterion.id}`)
  const compile = compilerFor(criterion.facts)
  const levels = entry.levels.map(({ earns, status, when }) => ({
    earns,
    status,
    condition: when === undefined ? null : compiled(compile(when), entry.id)
  }))
  return {
    id: entry.id,
    params: entry.params,
    external: isExternal(entry.plugin) ? { name: entry.plugin, rubricFile: pathOf(file) } : null,
    levels,
    earns: (facts, uncertain) => resultOfJudgement(judge(levels, facts, uncertain))
  }
}

const pathOf = (file: string | URL): string =>
  file instanceof URL || file.startsWith("file:") ? fileURLToPath(file) : file

const resultOfJudgement = ({ earns, status }: Judgement): CaseResult =>
  status === "inconclusive" ? status : resultOfLevel({ earns, status })

/** `has-glossary` of `./criteria/has-glossary.ts`, of `@acme/criteria#has-glossary` and of `has-glossary`. */
const nameOf = (plugin: string): string => (plugin.split(/[#/]/).at(-1) ?? plugin).replace(/\.[cm]?[jt]s$/, "")

const compiled = (result: Result.Result<Condition, { readonly message: string }>, id: string): Condition => {
  if (Result.isSuccess(result)) return result.success
  throw new Error(`${id}: ${result.failure.message}`)
}

/** Options of a run; the defaults are those of a real audit. */
export interface RunOptions {
  readonly site: FakeSite
  /** The audited URL, absolute or a path; `/` by default. */
  readonly url?: string
  /** The run's date; 2026-06-15 by default. */
  readonly date?: string
  readonly sampleSize?: number
  readonly limits?: Partial<FetchLimits>
  /** See `FakeSiteOptions.seed`. */
  readonly seed?: number
}

/** The result of measuring, and what was fetched for it. */
export interface MeasuredRun<Facts> {
  /** `null` if the plugin could not obtain its evidence, or gave facts that it does not declare. */
  readonly facts: Facts | null
  /** Facts that missing responses could change. */
  readonly uncertain: UncertainRecord
  /** The findings of the plugin; if it could not obtain its evidence, one that says so. */
  readonly findings: readonly [Finding, ...ReadonlyArray<Finding>]
  /** Why an audit would refuse or alter the result, one clause each. */
  readonly faults: ReadonlyArray<string>
  readonly journal: ReadonlyArray<JournalEntry>
}

type CriterionRun<Fields extends FactFields> = MeasuredRun<FactValues<Fields>>

/** A plugin with its params, whatever thread it measures in. */
export interface RunSubject<Facts> {
  readonly budget: Budget
  /** What it declares to measure. */
  readonly fields: FactFields
  readonly measure: (site: Site) => Effect.Effect<Measurement<Facts>, Unobtainable>
}

/**
 * Runs one plugin of ours against a fake site, in this thread. `params` are decoded by the plugin's schema, as those of the
 * rubric are.
 */
export const runCriterion = <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  rubricId: string,
  params: Readonly<Record<string, unknown>>,
  options: RunOptions
): Effect.Effect<CriterionRun<Fields>> =>
  Schema.is(criterion.params)(params)
    ? runSubject(
        { budget: criterion.budget, fields: criterion.facts, measure: (site) => criterion.measure(site, params) },
        rubricId,
        options
      )
    : Effect.die(new Error(`${criterion.id}: wrong params`))

/** Runs a plugin through the real code: `Evidence` with the audit's reservations, the site's derivations, the parsers. */
export const runSubject = <Facts extends FactRecord>(
  { budget: own, fields, measure }: RunSubject<Facts>,
  rubricId: string,
  options: RunOptions
): Effect.Effect<MeasuredRun<Facts>> => {
  const audited = normalise(options.url ?? "/", FAKE_HOST) ?? FAKE_HOST
  const limits: FetchLimits = Object.assign({}, defaultLimits, options.limits)
  const sampleSize = options.sampleSize ?? USUAL_SAMPLE
  const date = options.date ?? "2026-06-15"
  const budget = makeAuditBudget(limits, sampleSize)
  budget.reserve(siteSpenders)
  budget.reserve([criterionSpender(rubricId, own)])
  const evidence = Evidence.layer({
    site: siteOf(new URL(audited).hostname),
    canonicalOrigin: null,
    allowanceOf: budget.allowanceOf
  })
  const transport = layerFakeSite(options.site, options.seed === undefined ? {} : { seed: options.seed })
  return Effect.gen(function* () {
    const door = yield* Evidence
    const parsing = yield* ParserPool
    const base = yield* gatherBase(door.collector(baseSpender.collector), parsing, audited)
    const site = yield* makeSite({ base, date, sampleSize })
    const outcome = yield* Effect.result(measure(site.for(rubricId)))
    const journal = yield* door.journal
    return Result.isSuccess(outcome)
      ? { ...checked(fields, outcome.success, base.exchange), journal }
      : { ...withoutEvidence(outcome.failure), journal }
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.mergeAll(evidence.pipe(Layer.provide(transport)), ParserPool.layerInline)),
    Effect.provideService(FetchLimits, limits)
  )
}

const checked = <Facts extends FactRecord>(
  fields: FactFields,
  { facts, findings, uncertain = {} }: Measurement<Facts>,
  base: Exchange
): Omit<MeasuredRun<Facts>, "journal"> => {
  const maybe = uncertainRecord(uncertain)
  const wrong = [factsFault(fields, facts), uncertainFault(fields, maybe)].filter((fault) => fault !== null)
  // The types say that there is a first finding; plugins in JavaScript have no types.
  const given: ReadonlyArray<Finding> = findings
  const first = given[0] ?? { good: false, message: "There is no finding.", proof: base }
  return {
    facts: wrong.length === 0 ? facts : null,
    uncertain: maybe,
    findings: [first, ...given.slice(1)],
    faults: [...wrong, ...findingFaults(findings)]
  }
}

const withoutEvidence = ({ exchange, fault, message }: Unobtainable): Omit<MeasuredRun<never>, "journal"> => {
  const findings = [{ good: false, message, proof: exchange }] as const
  return { facts: null, uncertain: {}, findings, faults: fault === "plugin" ? [message] : findingFaults(findings) }
}
