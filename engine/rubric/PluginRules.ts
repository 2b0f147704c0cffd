import * as Result from "effect/Result"
import type * as SchemaIssue from "effect/SchemaIssue"
import type { FactFields } from "../criterion/Fact.ts"
import { type Compiler, compilerFor, type Condition } from "./Condition.ts"
import type { Draft, DraftCriterion, Spot } from "./Draft.ts"
import { nearestName } from "./NearestName.ts"
import { type UnreachableLevel, unreachableLevels } from "./Reachability.ts"
import { spanWithin } from "./ScalarOffsets.ts"
import { schemaFindings } from "./SchemaFindings.ts"
import type { Finding, SourceText } from "./SourceText.ts"

/** What a rubric needs to know of a plugin. */
export interface KnownPlugin<Bound> {
  readonly revision: number
  readonly facts: FactFields
  /** Somebody else's code, which the rubric names by path or package. */
  readonly outside?: true
  /** The plugin with these params, or what is wrong with them. */
  readonly bind: (params: unknown) => Result.Result<Bound, SchemaIssue.Issue>
}

/** A plugin from outside that cannot be had, with the reason in one clause. */
export interface UnavailablePlugin {
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
  readonly findings: ReadonlyArray<Finding>
}

/** Holds a criterion against its plugin: revision, params, conditions. `unused`: the plugins that no criterion names. */
export const link = <Bound>(
  criterion: DraftCriterion,
  plugins: ReadonlyMap<string, PluginEntry<Bound>>,
  unused: ReadonlyArray<string>,
  source: SourceText
): Linked<Bound> => {
  const plugin = criterion.plugin === null ? undefined : plugins.get(criterion.plugin.value)
  if (plugin === undefined) return { bound: null, facts: {}, conditions: [], findings: missingPlugin(criterion.plugin, plugins, unused) }
  if ("unavailable" in plugin) return { bound: null, facts: {}, conditions: [], findings: unavailablePlugin(criterion.plugin, plugin) }
  const params = bindParams(criterion, plugin)
  const compiled = compileLevels(criterion, compilerFor(plugin.facts), source)
  const sound = compiled.findings.length === 0 && isShaped(criterion)
  const unreachable = sound ? unreachableLevels(compiled.conditions, plugin.facts) : []
  return {
    bound: params.bound,
    facts: plugin.facts,
    conditions: compiled.conditions,
    findings: [
      ...revisionFindings(criterion.revision, plugin.revision),
      ...params.findings,
      ...compiled.findings,
      ...unreachable.flatMap((level) => unreachableFinding(criterion, level))
    ]
  }
}

/** The plugins that no criterion names. */
export const unusedPlugins = ({ criteria }: Draft, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const used = new Set(criteria.map(({ plugin }) => plugin?.value))
  return names.filter((name) => !used.has(name))
}

/** A plugin without a criterion is a mistake, but for one that a criterion may have meant and misspelt: see `missingPlugin`. */
export const unusedFindings = (draft: Draft, plugins: ReadonlyMap<string, PluginEntry<unknown>>): ReadonlyArray<Finding> => {
  const names = [...plugins.keys()]
  const misspelt = draft.criteria.some(({ plugin }) => plugin === null || !names.includes(plugin.value))
  if (misspelt || draft.criteria.length === 0 || hasOutside(plugins)) return []
  return unusedPlugins(draft, names).map((name) => ({
    rule: "plugin",
    span: draft.head,
    message: `the plugin "${name}" has no criterion`,
    hint: 'add one, under "experimental" where it is on trial'
  }))
}

/** A rubric with plugins from outside is a choice of its owner's: none of ours is missing from it. */
const hasOutside = (plugins: ReadonlyMap<string, PluginEntry<unknown>>): boolean =>
  [...plugins.values()].some((plugin) => "unavailable" in plugin || plugin.outside === true)

const unavailablePlugin = (plugin: Spot<string> | null, { unavailable }: UnavailablePlugin): ReadonlyArray<Finding> =>
  plugin === null ? [] : [{ rule: "plugin", span: plugin.span, message: `the plugin "${plugin.value}" cannot be used`, hint: unavailable }]

const missingPlugin = (
  plugin: Spot<string> | null,
  plugins: ReadonlyMap<string, unknown>,
  unused: ReadonlyArray<string>
): ReadonlyArray<Finding> => {
  if (plugin === null || plugin.value.trim() === "") return []
  const near = nearestName(plugin.value, [...plugins.keys()])
  const free = unused.length === 0 ? "a plugin is named after its file under plugins/" : `without a criterion: ${unused.join(", ")}`
  const hint = near === null ? free : `did you mean "${near}"?`
  return [{ rule: "plugin", span: plugin.span, message: `there is no plugin "${plugin.value}"`, hint }]
}

const revisionFindings = (pinned: Spot<number> | null, revision: number): ReadonlyArray<Finding> =>
  pinned === null || pinned.value === revision ? [] : [{
    rule: "plugin",
    span: pinned.span,
    message: `the plugin is at revision ${revision}, the rubric at ${pinned.value}`,
    hint: "see what its facts mean now, then pin that revision in a new version of the rubric"
  }]

const bindParams = <Bound>({ params }: DraftCriterion, plugin: KnownPlugin<Bound>) => {
  if (params === null || typeof params.plain !== "object" || params.plain === null) return { bound: null, findings: [] }
  const bound = plugin.bind(params.plain)
  if (Result.isSuccess(bound)) return { bound: bound.success, findings: [] }
  const span = { start: params.span.start, end: params.span.start + 1 }
  const findings = schemaFindings(bound.failure, params, span).map((finding): Finding => ({ ...finding, rule: "params" }))
  return { bound: null, findings }
}

const compileLevels = ({ levels }: DraftCriterion, compile: Compiler, source: SourceText) => {
  const findings: Array<Finding> = []
  const conditions = levels.map(({ when }) => {
    if (when === null || when.value.trim() === "") return null
    const compiled = compile(when.value)
    if (Result.isSuccess(compiled)) return compiled.success
    const { hint, message, ...part } = compiled.failure
    findings.push({ rule: "condition", span: spanWithin(source.text, when.span, when.value, part), message, hint })
    return null
  })
  return { conditions, findings }
}

/** Conditions on all levels but the last. */
const isShaped = ({ levels }: DraftCriterion): boolean =>
  levels.length > 0 && levels.every(({ when }, index) => (when === null) === (index === levels.length - 1))

const WHY = {
  same_condition: "no facts can reach this level: an earlier one has the same condition",
  never_holds: "no facts can reach this level: its condition can never hold",
  taken_before: "no facts can reach this level: earlier ones hold wherever this one does"
} as const satisfies Record<UnreachableLevel["reason"], string>

const unreachableFinding = ({ levels }: DraftCriterion, { level, reason }: UnreachableLevel): ReadonlyArray<Finding> => {
  const place = levels[level]
  return place === undefined ? [] : [{ rule: "unreachable_level", span: place.when?.span ?? place.head, message: WHY[reason] }]
}
