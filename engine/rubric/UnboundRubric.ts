import type { ASTNode } from "@marcbachmann/cel-js"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseCondition } from "./condition/Condition.ts"
import type { DraftCriterion } from "./source/Draft.ts"
import type { RubricInvalid } from "./source/Problem.ts"
import type { CriterionDefinition, Level, Rubric } from "./definition/Rubric.ts"
import { fileDiagnostics, readSource, rejectSource, type RubricSource } from "./RubricSource.ts"
import { type Diagnostic, placeWithin } from "./source/SourceText.ts"
import type { YamlNode } from "./source/YamlSource.ts"

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
