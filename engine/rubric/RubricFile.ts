import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import type { FactFields } from "../plugin/Fact.ts"
import { type Condition, parseCondition } from "./condition/Condition.ts"
import { type CriterionDefinition, type Level, type LevelStatus, type Rubric, stepText } from "./definition/Rubric.ts"
import { type BaseRubric, isChangedBase } from "./extends/BaseRubric.ts"
import {
  fileDiagnostics,
  problemsOf,
  readRubricText,
  readSource,
  rejectSource,
  type RubricSource
} from "./RubricSource.ts"
import { changeDiagnostics } from "./rules/FileRules.ts"
import {
  link,
  type Linked,
  type PluginEntry,
  reachDiagnostics,
  unusedDiagnostics,
  unusedPlugins
} from "./rules/PluginRules.ts"
import type { Draft, DraftCriterion } from "./source/Draft.ts"
import { isWarning, type Problem, type RubricInvalid } from "./source/Problem.ts"
import { type Diagnostic, placeWithin } from "./source/SourceText.ts"
import { itemsUnder, readYamlSource, type YamlNode } from "./source/YamlSource.ts"
import type { ASTNode } from "@marcbachmann/cel-js"

/** A rubric in a form that another process can load. */
export interface RubricReference {
  /** Its path: external plugins are resolved relative to it. */
  readonly file: string
  /** The loaded bytes in base64, so that a later edit of the file has no effect; `null`: the package's own rubric. */
  readonly content: string | null
  /** The expected digest of the rubric. */
  readonly digest: string
  /** The longest that each external plugin that it names may take, in seconds; `null`: it may name none. */
  readonly pluginSeconds: number | null
}

/** A rubric before it is loaded, without its digest. */
export type RubricLocation = Omit<RubricReference, "digest">

/** The rubric of this package. */
export const OWN_RUBRIC: RubricLocation = {
  file: fileURLToPath(
    new URL(import.meta.url.endsWith(".ts") ? "../../rubric.yaml" : "../rubric.yaml", import.meta.url)
  ),
  content: null,
  pluginSeconds: null
}

/** A level with its condition compiled; `null` is the condition of the last one, which always holds. */
export interface LoadedLevel {
  readonly status: LevelStatus
  readonly earns: number
  readonly condition: Condition | null
}

/** A step of a remedy with its condition compiled; `null`: it is always advised. */
export interface LoadedStep {
  readonly text: string
  readonly unless: Condition | null
}

/** A criterion, bound to its plugin. */
export interface LoadedCriterion<Bound> {
  readonly definition: CriterionDefinition
  /** The letter of its category. */
  readonly category: string
  readonly bound: Bound
  /** What its plugin measures. */
  readonly facts: FactFields
  readonly levels: ReadonlyArray<LoadedLevel>
  readonly steps: ReadonlyArray<LoadedStep>
}

/** A rubric that has passed every check. */
export interface LoadedRubric<Bound> {
  readonly rubric: Rubric
  /** Of the file and of the rubric that it extends, as `sha256:` and hexadecimal digits. */
  readonly digest: string
  /** The rubric that it extends; `null`: it is whole. */
  readonly base: Pick<BaseRubric, "id" | "version"> | null
  /** The name of the file if that changes the published rubric but has its name and version. */
  readonly changedBy: string | null
  /** In file order. */
  readonly criteria: ReadonlyArray<LoadedCriterion<Bound>>
  /** Criteria on trial: measured, and earning nothing. */
  readonly experimental: ReadonlyArray<LoadedCriterion<Bound>>
}

/** Rules that an audit does not hold a rubric to; `linked` has one entry for each criterion of the draft. */
export type Lint = (
  draft: Draft,
  linked: ReadonlyArray<Linked<unknown>>,
  read: Pick<RubricSource, "base" | "namesNumbers" | "source">
) => ReadonlyArray<Diagnostic>

/** A rubric that can be used, and what might be better in it. */
interface CheckedRubric<Bound> {
  readonly loaded: LoadedRubric<Bound>
  /** In file order. */
  readonly warnings: ReadonlyArray<Problem>
}

/**
 * Reads a rubric from a file's bytes and checks it against the plugins that there are. All problems are found at once;
 * `file` is the name by which they call it.
 */
export const loadRubric = <Bound>(
  bytes: Uint8Array,
  file: string,
  plugins: ReadonlyMap<string, PluginEntry<Bound>>
): Effect.Effect<LoadedRubric<Bound>, RubricInvalid> =>
  Effect.map(
    checkRubric(bytes, file, plugins, () => []),
    ({ loaded }) => loaded
  )

/** The same, with rules besides: what they find makes the rubric unusable, or a warning (`isWarning`). */
export const checkRubric = <Bound>(
  bytes: Uint8Array,
  file: string,
  plugins: ReadonlyMap<string, PluginEntry<Bound>>,
  lint: Lint
): Effect.Effect<CheckedRubric<Bound>, RubricInvalid> =>
  Effect.flatMap(readSource(bytes, file), (read) => checked(read, plugins, lint))

/**
 * Everything that is held against what was read; of the package's own rubric, what its build did not check. Takes its time, and
 * lets others go on after each criterion.
 */
const checked = Effect.fnUntraced(function* <Bound>(
  read: RubricSource,
  plugins: ReadonlyMap<string, PluginEntry<Bound>>,
  lint: Lint
): Effect.fn.Return<CheckedRubric<Bound>, RubricInvalid> {
  const { decoded, draft, packaged, source } = read
  const unused = unusedPlugins(draft, plugins)
  const linked = yield* Effect.forEach(draft.criteria, (criterion) =>
    Effect.map(Effect.yieldNow, () => {
      const one = link(criterion, plugins, unused, source)
      return packaged ? one : { ...one, diagnostics: [...one.diagnostics, ...reachDiagnostics(criterion, one)] }
    })
  )
  const found = packaged ? linked.flatMap(({ diagnostics }) => diagnostics) : diagnosticsOf(read, plugins, linked)
  const diagnostics = [...found, ...lint(draft, linked, read)]
  return Result.isFailure(decoded) || diagnostics.some((each) => !isWarning(each))
    ? yield* rejectSource(read, diagnostics)
    : { loaded: loaded(decoded.success, read, linked), warnings: problemsOf(read, diagnostics) }
})

const diagnosticsOf = (
  read: RubricSource,
  plugins: ReadonlyMap<string, PluginEntry<unknown>>,
  linked: ReadonlyArray<Linked<unknown>>
): ReadonlyArray<Diagnostic> => [
  ...fileDiagnostics(read),
  ...linked.flatMap((each) => each.diagnostics),
  // A rubric that extends ours may leave criteria out.
  ...(read.base === null ? unusedDiagnostics(read.draft, plugins) : []),
  ...changeDiagnostics(read.draft)
]

/** Joins the decoded criteria with what linking made of them: both are in file order. */
const loaded = <Bound>(
  rubric: Rubric,
  { base, digest, source: { file } }: RubricSource,
  linked: ReadonlyArray<Linked<Bound>>
): LoadedRubric<Bound> => {
  const defined = rubric.categories.flatMap((category) =>
    category.criteria.map((criterion) => ({ criterion, category: category.id }))
  )
  const onTrial = (rubric.experimental ?? []).map((criterion) => ({ criterion, category: criterion.category }))
  const all = [...defined, ...onTrial].flatMap(
    ({ category, criterion }, index): ReadonlyArray<LoadedCriterion<Bound>> => {
      const { bound, conditions, facts, unless } = linked[index] ?? {
        bound: null,
        conditions: [],
        unless: [],
        facts: {}
      }
      if (bound === null) return []
      const levels = criterion.levels.map(({ earns, status }, level) => ({
        status,
        earns,
        condition: conditions[level] ?? null
      }))
      const steps = criterion.remedy.steps.map((step, place) => ({
        text: stepText(step),
        unless: unless[place] ?? null
      }))
      return [{ definition: criterion, category, bound, facts, levels, steps }]
    }
  )
  const { id, version } = rubric
  const changedBy = isChangedBase({ id, version, digest }) ? basename(file) : null
  return {
    rubric,
    digest,
    base,
    changedBy,
    criteria: all.slice(0, defined.length),
    experimental: all.slice(defined.length)
  }
}

/** The ids of the criteria that a file names itself; `null` where it is a whole rubric, or extends one and names none. */
export const ownCriteria = (
  bytes: Uint8Array,
  file: string
): Effect.Effect<ReadonlySet<string> | null, RubricInvalid> =>
  Effect.map(readRubricText(bytes, file), (source) => {
    const { root } = readYamlSource(source)
    if (root === null || !root.entries.has("extends")) return null
    const named = ["criteria", "experimental"]
      .flatMap((key) => itemsUnder(root, key))
      .flatMap((item) => {
        const id = item.entries.get("id")?.node.plain
        return typeof id === "string" ? [id] : []
      })
    return named.length === 0 ? null : new Set(named)
  })

/** A level with its condition's syntax tree; `null` is the condition of the last one, which always holds. */
export interface UnboundLevel extends Level {
  readonly tree: ASTNode | null
}

/** A criterion by what its file says alone. */
export interface UnboundCriterion {
  readonly definition: CriterionDefinition
  /** The letter of its category. */
  readonly category: string
  readonly onTrial: boolean
  readonly levels: ReadonlyArray<UnboundLevel>
}

/** A rubric that is not bound to plugins: one of an earlier or later time, whose plugins may measure other facts. */
export interface UnboundRubric {
  readonly rubric: Rubric
  /** The same with its texts as they are written: of format 3, with the names of numbers in them. */
  readonly asWritten: Rubric
  /** The criteria that format 3 has, as it has them, by id. */
  readonly formatThree: ReadonlyMap<string, YamlNode>
  /** Of the file and of the rubric that it extends, as `sha256:` and hexadecimal digits. */
  readonly digest: string
  /** The rubric that it extends; `null`: it is whole. */
  readonly base: { readonly id: string; readonly version: string } | null
  /** In file order, those on trial last. */
  readonly criteria: ReadonlyArray<UnboundCriterion>
}

/**
 * Reads a rubric without the plugins that it was written for. Everything is checked that can be: not that plugins, params
 * and facts are there, nor that the newest entry of `changes` is of the rubric's version.
 */
export const readUnbound = (bytes: Uint8Array, file: string): Effect.Effect<UnboundRubric, RubricInvalid> =>
  Effect.flatMap(readSource(bytes, file), (read) => {
    const { asWritten, base, decoded, digest, draft, formatThree } = read
    const diagnostics = [
      ...fileDiagnostics(read),
      ...draft.criteria.flatMap((criterion) => unreadable(criterion, read))
    ]
    if (Result.isFailure(decoded) || Result.isFailure(asWritten) || diagnostics.length > 0)
      return rejectSource(read, diagnostics)
    const rubric = decoded.success
    return Effect.succeed({
      rubric,
      asWritten: asWritten.success,
      formatThree,
      digest,
      base,
      criteria: criteriaOf(rubric)
    })
  })

const unreadable = ({ levels, steps }: DraftCriterion, { source }: RubricSource): ReadonlyArray<Diagnostic> =>
  [...levels.map(({ when }) => when), ...steps.map(({ unless }) => unless)].flatMap(
    (condition): ReadonlyArray<Diagnostic> => {
      if (condition === null || condition.value.trim() === "") return []
      const parsed = parseCondition(condition.value)
      if (Result.isSuccess(parsed)) return []
      const { hint, message, ...part } = parsed.failure
      return [{ rule: "condition", span: placeWithin(source.text, condition, part), message, hint }]
    }
  )

const criteriaOf = ({ categories, experimental = [] }: Rubric): ReadonlyArray<UnboundCriterion> => [
  ...categories.flatMap(({ criteria, id }) => criteria.map((definition) => unbound(definition, id, false))),
  ...experimental.map((definition) => unbound(definition, definition.category, true))
]

const unbound = (definition: CriterionDefinition, category: string, onTrial: boolean): UnboundCriterion => ({
  definition,
  category,
  onTrial,
  levels: definition.levels.map((level) => ({ ...level, tree: treeOf(level) }))
})

const treeOf = ({ when }: Level): ASTNode | null => (when === undefined ? null : Result.getOrNull(parseCondition(when)))
