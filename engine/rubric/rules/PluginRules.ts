import * as Result from "effect/Result"
import type * as SchemaIssue from "effect/SchemaIssue"
import type { FactFields } from "../../plugin/Fact.ts"
import { type Revision, revisionFault, revisionParts, servesRevision } from "../../plugin/Registry.ts"
import { type Compiler, compilerFor, type Condition } from "../condition/Condition.ts"
import { type Diagnostic, placeWithin, type SourceText } from "../source/SourceText.ts"
import type { Draft, DraftCriterion, SourceValue } from "../source/Draft.ts"
import { nearestName } from "../source/NearestName.ts"
import { schemaDiagnostics } from "../source/SchemaDiagnostics.ts"
import { combination, combinations, representatives, type RepresentativeValue, thresholdsOf } from "./Thresholds.ts"

/** What a rubric needs to know of a plugin. */
export interface KnownPlugin<Bound> {
  readonly revision: Revision
  readonly facts: FactFields
  /** Somebody else's code, which the rubric names by path or package. */
  readonly external?: true
  /** It measures whatever its params say (`measure:`), so that a rubric need not use it. */
  readonly general?: true
  /** The plugin with these params, or what is wrong with them. */
  readonly bind: (params: unknown) => Result.Result<Bound, SchemaIssue.Issue>
}

/** An external plugin that cannot be loaded, with the reason in one clause. */
interface UnavailablePlugin {
  readonly unavailable: string
}

/** What is known under a plugin's name. */
export type PluginEntry<Bound> = KnownPlugin<Bound> | UnavailablePlugin

/** A criterion with its plugin: ready to measure and to judge, as far as it is right. */
export interface Linked<Bound> {
  readonly bound: Bound | null
  /** What the plugin measures; none where it is missing. */
  readonly facts: FactFields
  /** One for each level; `null` where there is none, or where it is wrong. */
  readonly conditions: ReadonlyArray<Condition | null>
  /** One for each step of the remedy; `null` where there is none, or where it is wrong. */
  readonly unless: ReadonlyArray<Condition | null>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** Holds a criterion against its plugin: revision, params, conditions. `unused`: the plugins that no criterion names. */
export const link = <Bound>(
  criterion: DraftCriterion,
  plugins: ReadonlyMap<string, PluginEntry<Bound>>,
  unused: ReadonlyArray<string>,
  source: SourceText
): Linked<Bound> => {
  const plugin = criterion.plugin === null ? undefined : plugins.get(criterion.plugin.value)
  if (plugin === undefined) return { ...UNBOUND, diagnostics: missingPlugin(criterion.plugin, plugins, unused) }
  if ("unavailable" in plugin) return { ...UNBOUND, diagnostics: unavailablePlugin(criterion.plugin, plugin) }
  const params = bindParams(criterion, plugin)
  const compile = compilerFor(plugin.facts)
  const compiled = compileAll(
    criterion.levels.map(({ when }) => when),
    compile,
    source
  )
  const unless = compileAll(
    criterion.steps.map((step) => step.unless),
    compile,
    source
  )
  return {
    bound: params.bound,
    facts: plugin.facts,
    conditions: compiled.conditions,
    unless: unless.conditions,
    diagnostics: [
      ...revisionDiagnostics(criterion, plugin.revision),
      ...params.diagnostics,
      ...compiled.diagnostics,
      ...unless.diagnostics
    ]
  }
}

/** The levels of a criterion that no facts can reach, where all its conditions could be compiled. */
export const reachDiagnostics = (
  criterion: DraftCriterion,
  { conditions, facts }: Linked<unknown>
): ReadonlyArray<Diagnostic> => {
  const sound =
    isShaped(criterion) &&
    conditions.length === criterion.levels.length &&
    conditions.slice(0, -1).every((condition) => condition !== null)
  return sound ? unreachableLevels(conditions, facts).flatMap((level) => unreachableFinding(criterion, level)) : []
}

const UNBOUND = { bound: null, facts: {}, conditions: [], unless: [] } as const

/** The plugins that no criterion names, though each should have one. */
export const unusedPlugins = (
  { criteria }: Draft,
  plugins: ReadonlyMap<string, PluginEntry<unknown>>
): ReadonlyArray<string> => {
  const used = new Set(criteria.map(({ plugin }) => plugin?.value))
  return [...plugins].flatMap(([name, plugin]) => (used.has(name) || "general" in plugin ? [] : [name]))
}

/** A plugin without a criterion is a mistake, but for one that a criterion may have meant and misspelt: see `missingPlugin`. */
export const unusedDiagnostics = (
  draft: Draft,
  plugins: ReadonlyMap<string, PluginEntry<unknown>>
): ReadonlyArray<Diagnostic> => {
  const misspelt = draft.criteria.some(({ plugin }) => plugin === null || !plugins.has(plugin.value))
  if (misspelt || draft.criteria.length === 0 || hasExternal(plugins) || measuresWithoutCode(draft, plugins)) return []
  return unusedPlugins(draft, plugins).map((name) => ({
    rule: "plugin",
    span: draft.head,
    message: `the plugin "${name}" has no criterion`,
    hint: 'add one, under "experimental" where it is on trial'
  }))
}

/** A rubric with external plugins is a choice of its owner's: none of ours is missing from it. */
const hasExternal = (plugins: ReadonlyMap<string, PluginEntry<unknown>>): boolean =>
  [...plugins.values()].some((plugin) => "unavailable" in plugin || plugin.external === true)

/** So is one that says itself what to measure. */
const measuresWithoutCode = ({ criteria }: Draft, plugins: ReadonlyMap<string, PluginEntry<unknown>>): boolean =>
  criteria.some(({ plugin }) => {
    const entry = plugin === null ? undefined : plugins.get(plugin.value)
    return entry !== undefined && "general" in entry
  })

const unavailablePlugin = (
  plugin: SourceValue<string> | null,
  { unavailable }: UnavailablePlugin
): ReadonlyArray<Diagnostic> =>
  plugin === null
    ? []
    : [{ rule: "plugin", span: plugin.span, message: `the plugin "${plugin.value}" cannot be used`, hint: unavailable }]

const missingPlugin = (
  plugin: SourceValue<string> | null,
  plugins: ReadonlyMap<string, unknown>,
  unused: ReadonlyArray<string>
): ReadonlyArray<Diagnostic> => {
  if (plugin === null || plugin.value.trim() === "") return []
  const near = nearestName(plugin.value, [...plugins.keys()])
  const free =
    unused.length === 0
      ? "a plugin is named after its file under plugins/"
      : `without a criterion: ${unused.join(", ")}`
  const hint = near === null ? free : `did you mean "${near}"?`
  return [{ rule: "plugin", span: plugin.span, message: `there is no plugin "${plugin.value}"`, hint }]
}

/** A plugin that has only got more facts since then measures all that the rubric was written for. */
const revisionDiagnostics = (
  { plugin, revision: pinned }: DraftCriterion,
  revision: Revision
): ReadonlyArray<Diagnostic> => {
  const fault = revisionFault(revision)
  if (plugin !== null && fault !== null)
    return [{ rule: "plugin", span: plugin.span, message: `the plugin "${plugin.value}" cannot be used`, hint: fault }]
  if (pinned === null || revisionFault(pinned.value) !== null || servesRevision(revision, pinned.value)) return []
  const onlyLacksFacts = revisionParts(revision).major === revisionParts(pinned.value).major
  return [
    {
      rule: "plugin",
      span: pinned.span,
      message: `the plugin is at revision ${revision}, the rubric at ${pinned.value}`,
      hint: onlyLacksFacts
        ? LACKS_FACTS
        : "see what its facts mean now, then pin that revision in a new version of the rubric"
    }
  ]
}

const LACKS_FACTS = "install the plugin's version that has those facts: of a plugin without a path, a newer docgauge"

const bindParams = <Bound>({ params }: DraftCriterion, plugin: KnownPlugin<Bound>) => {
  if (params === null || typeof params.plain !== "object" || params.plain === null)
    return { bound: null, diagnostics: [] }
  const bound = plugin.bind(params.plain)
  if (Result.isSuccess(bound)) return { bound: bound.success, diagnostics: [] }
  const span = { start: params.span.start, end: params.span.start + 1 }
  const diagnostics = schemaDiagnostics(bound.failure, params, span, "params").map((diagnostic): Diagnostic => ({
    ...diagnostic,
    rule: "params"
  }))
  return { bound: null, diagnostics }
}

const compileAll = (texts: ReadonlyArray<SourceValue<string> | null>, compile: Compiler, source: SourceText) => {
  const diagnostics: Array<Diagnostic> = []
  const conditions = texts.map((text) => {
    if (text === null || text.value.trim() === "") return null
    const compiled = compile(text.value)
    if (Result.isSuccess(compiled)) return compiled.success
    const { hint, message, ...part } = compiled.failure
    diagnostics.push({ rule: "condition", span: placeWithin(source.text, text, part), message, hint })
    return null
  })
  return { conditions, diagnostics }
}

/** Conditions on all levels but the last. */
const isShaped = ({ levels }: DraftCriterion): boolean =>
  levels.length > 0 && levels.every(({ when }, index) => (when === null) === (index === levels.length - 1))

const WHY = {
  same_condition: "no facts can reach this level: an earlier one has the same condition",
  never_holds: "no facts can reach this level: its condition can never hold",
  taken_before: "no facts can reach this level: earlier ones hold wherever this one does"
} as const satisfies Record<UnreachableLevel["reason"], string>

const unreachableFinding = (
  { levels }: DraftCriterion,
  { level, reason }: UnreachableLevel
): ReadonlyArray<Diagnostic> => {
  const place = levels[level]
  return place === undefined
    ? []
    : [{ rule: "unreachable_level", span: place.when?.span ?? place.head, message: WHY[reason] }]
}

/** A level that no facts reach. */
interface UnreachableLevel {
  /** Its place among the levels, from 0. */
  readonly level: number
  readonly reason: "same_condition" | "never_holds" | "taken_before"
}

/** More combinations than this are not tried: the levels then count as reachable. */
const MOST_COMBINATIONS = 20_000

/**
 * The levels that no facts can reach, given one condition a level (`null`: none, it always holds). Exact where every
 * numeric fact is only compared with numbers: then one value for each stretch between its thresholds represents all. Where
 * facts are calculated with or compared with each other, only repeated conditions are found.
 */
export const unreachableLevels = (
  conditions: ReadonlyArray<Condition | null>,
  fields: FactFields
): ReadonlyArray<UnreachableLevel> => {
  const present = conditions.filter((condition) => condition !== null)
  const thresholds = thresholdsOf(
    present.map((condition) => condition.tree),
    fields
  )
  const read = [...new Set(present.flatMap((condition) => condition.reads))]
  const values = thresholds === null ? null : read.map((name) => representatives(name, fields[name], thresholds))
  const tried = values === null || combinations(values) > MOST_COMBINATIONS ? null : tryAll(conditions, read, values)
  return conditions.flatMap((condition, level): ReadonlyArray<UnreachableLevel> => {
    if (repeats(conditions, level)) return [{ level, reason: "same_condition" }]
    if (tried === null || tried.reached.has(level)) return []
    return [{ level, reason: condition !== null && !tried.held.has(level) ? "never_holds" : "taken_before" }]
  })
}

const repeats = (conditions: ReadonlyArray<Condition | null>, level: number): boolean => {
  const text = squeezed(conditions[level])
  return text !== null && conditions.slice(0, level).some((earlier) => squeezed(earlier) === text)
}

const squeezed = (condition: Condition | null | undefined): string | null =>
  condition?.text.replace(/\s+/gu, " ").trim() ?? null

/**
 * Goes through the combinations, far apart first, until every level has been reached: a rubric without mistakes is done
 * after a few dozen.
 */
const tryAll = (
  conditions: ReadonlyArray<Condition | null>,
  names: ReadonlyArray<string>,
  values: ReadonlyArray<ReadonlyArray<RepresentativeValue>>
) => {
  const reached = new Set<number>()
  const held = new Set<number>()
  const total = combinations(values)
  const stride = strideThrough(total)
  for (let tried = 0; tried < total && reached.size < conditions.length; tried += 1) {
    const facts = combination(names, values, (tried * stride) % total)
    const first = conditions.findIndex((condition) => condition === null || condition.holds(facts))
    reached.add(first)
    conditions.forEach((condition, level) => {
      if (level > first && !reached.has(level) && condition?.holds(facts) === true) held.add(level)
    })
  }
  return { reached, held }
}

/** A step of about the golden section that passes every number below `total` once. */
const strideThrough = (total: number): number => {
  let stride = Math.max(1, Math.floor(total * 0.618))
  while (divisor(stride, total) !== 1) stride += 1
  return stride
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
