import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { FactFields } from "../criterion/Fact.ts"
import type { Condition } from "./Condition.ts"
import type { Draft } from "./Draft.ts"
import type { KeptReading } from "./KeptReading.ts"
import { levelFindings } from "./LevelRules.ts"
import { changeFindings, nameFindings } from "./NameRules.ts"
import { type PluginEntry, link, type Linked, unusedFindings, unusedPlugins } from "./PluginRules.ts"
import { pointFindings } from "./PointRules.ts"
import type { RubricInvalid } from "./Problem.ts"
import type { Criterion, LevelStatus, Rubric } from "./Rubric.ts"
import { keptSource, readSource, reject, type RubricSource } from "./RubricSource.ts"
import { shapeFindings } from "./SchemaFindings.ts"
import type { Finding } from "./SourceText.ts"

/** A level with its condition compiled; `null` is the condition of the last one, which always holds. */
export interface LoadedLevel {
  readonly status: LevelStatus
  readonly earns: number
  readonly condition: Condition | null
}

/** A criterion, bound to its plugin. */
export interface LoadedCriterion<Bound> {
  readonly definition: Criterion
  /** The letter of its category. */
  readonly category: string
  readonly bound: Bound
  /** What its plugin measures. */
  readonly facts: FactFields
  readonly levels: ReadonlyArray<LoadedLevel>
}

/** A rubric that has passed every check. */
export interface LoadedRubric<Bound> {
  readonly rubric: Rubric
  /** SHA-256 of the file's bytes, as `sha256:` and hexadecimal digits. */
  readonly digest: string
  /** In file order. */
  readonly criteria: ReadonlyArray<LoadedCriterion<Bound>>
  /** Criteria on trial: measured, and earning nothing. */
  readonly experimental: ReadonlyArray<LoadedCriterion<Bound>>
}

/**
 * Reads a rubric from a file's bytes and checks it against the plugins that there are. All problems are found at once;
 * `file` is the name by which they call it. `lint`: rules of taste besides, which an audit does not hold a rubric to.
 */
export const loadRubric = <Bound>(
  bytes: Uint8Array,
  file: string,
  plugins: ReadonlyMap<string, PluginEntry<Bound>>,
  lint: (draft: Draft) => ReadonlyArray<Finding> = () => []
): Effect.Effect<LoadedRubric<Bound>, RubricInvalid> => Effect.flatMap(readSource(bytes, file), (read) => checked(read, plugins, lint))

/** The same, sooner, where the reading of these bytes was kept. */
export const loadKeptRubric = <Bound>(
  bytes: Uint8Array,
  file: string,
  plugins: ReadonlyMap<string, PluginEntry<Bound>>,
  kept: KeptReading
): Effect.Effect<LoadedRubric<Bound>, RubricInvalid> => {
  const read = keptSource(bytes, file, kept)
  // Problems are told with their places, which only the text has.
  const whole = loadRubric(bytes, file, plugins)
  return read === null ? whole : Effect.catch(checked(read, plugins, () => []), () => whole)
}

/** Everything that is held against what was read. Takes its time, and lets others go on after each criterion. */
const checked = Effect.fnUntraced(function*<Bound>(
  { decoded, digest, draft, findings: found, root, source }: RubricSource,
  plugins: ReadonlyMap<string, PluginEntry<Bound>>,
  lint: (draft: Draft) => ReadonlyArray<Finding>
): Effect.fn.Return<LoadedRubric<Bound>, RubricInvalid> {
  const unused = unusedPlugins(draft, [...plugins.keys()])
  const linked = yield* Effect.forEach(draft.criteria, (criterion) =>
    Effect.map(Effect.yieldNow, () => link(criterion, plugins, unused, source)))
  const findings = [
    ...found,
    ...shapeFindings(decoded, root),
    ...nameFindings(draft),
    ...pointFindings(draft),
    ...draft.criteria.flatMap(levelFindings),
    ...linked.flatMap((each) => each.findings),
    ...unusedFindings(draft, plugins),
    ...changeFindings(draft),
    ...lint(draft)
  ]
  return Result.isFailure(decoded) || findings.length > 0 ? yield* reject(source, findings) : loaded(decoded.success, digest, linked)
})

/** Joins the decoded criteria with what linking made of them: both are in file order. */
const loaded = <Bound>(rubric: Rubric, digest: string, linked: ReadonlyArray<Linked<Bound>>): LoadedRubric<Bound> => {
  const defined = rubric.categories.flatMap((category) => category.criteria.map((criterion) => ({ criterion, category: category.id })))
  const onTrial = (rubric.experimental ?? []).map((criterion) => ({ criterion, category: criterion.category }))
  const all = [...defined, ...onTrial].flatMap(({ category, criterion }, index): ReadonlyArray<LoadedCriterion<Bound>> => {
    const { bound, conditions, facts } = linked[index] ?? { bound: null, conditions: [], facts: {} }
    if (bound === null) return []
    const levels = criterion.levels.map(({ earns, status }, level) => ({ status, earns, condition: conditions[level] ?? null }))
    return [{ definition: criterion, category, bound, facts, levels }]
  })
  return { rubric, digest, criteria: all.slice(0, defined.length), experimental: all.slice(defined.length) }
}
