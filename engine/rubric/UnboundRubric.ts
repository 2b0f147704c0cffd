import type { ASTNode } from "@marcbachmann/cel-js"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseCondition } from "./Condition.ts"
import type { DraftCriterion } from "./Draft.ts"
import { levelFindings } from "./LevelRules.ts"
import { nameFindings } from "./NameRules.ts"
import { pointFindings } from "./PointRules.ts"
import type { RubricInvalid } from "./Problem.ts"
import type { Criterion, Level, Rubric } from "./Rubric.ts"
import { readSource, reject, type RubricSource } from "./RubricSource.ts"
import { spanWithin } from "./ScalarOffsets.ts"
import { shapeFindings } from "./SchemaFindings.ts"
import type { Finding } from "./SourceText.ts"

/** A level with its condition's syntax tree; `null` is the condition of the last one, which always holds. */
export interface UnboundLevel extends Level {
  readonly tree: ASTNode | null
}

/** A criterion by what its file says alone. */
export interface UnboundCriterion {
  readonly definition: Criterion
  /** The letter of its category. */
  readonly category: string
  readonly onTrial: boolean
  readonly levels: ReadonlyArray<UnboundLevel>
}

/** A rubric that is not bound to plugins: one of an earlier or later time, whose plugins may measure other facts. */
export interface UnboundRubric {
  readonly rubric: Rubric
  /** SHA-256 of the file's bytes, as `sha256:` and hexadecimal digits. */
  readonly digest: string
  /** In file order, those on trial last. */
  readonly criteria: ReadonlyArray<UnboundCriterion>
}

/**
 * Reads a rubric without the plugins that it was written for. Everything is checked that can be: not that plugins, params
 * and facts are there, nor that the newest entry of `changes` is of the rubric's version.
 */
export const readUnbound = (bytes: Uint8Array, file: string): Effect.Effect<UnboundRubric, RubricInvalid> =>
  Effect.flatMap(readSource(bytes, file), (read) => {
    const { decoded, digest, draft, root, source } = read
    const findings = [
      ...read.findings,
      ...shapeFindings(decoded, root),
      ...nameFindings(draft),
      ...pointFindings(draft),
      ...draft.criteria.flatMap(levelFindings),
      ...draft.criteria.flatMap((criterion) => unreadable(criterion, read))
    ]
    if (Result.isFailure(decoded) || findings.length > 0) return reject(source, findings)
    return Effect.succeed({ rubric: decoded.success, digest, criteria: criteriaOf(decoded.success) })
  })

const unreadable = ({ levels }: DraftCriterion, { source }: RubricSource): ReadonlyArray<Finding> =>
  levels.flatMap(({ when }): ReadonlyArray<Finding> => {
    if (when === null || when.value.trim() === "") return []
    const parsed = parseCondition(when.value)
    if (Result.isSuccess(parsed)) return []
    const { hint, message, ...part } = parsed.failure
    return [{ rule: "condition", span: spanWithin(source.text, when.span, when.value, part), message, hint }]
  })

const criteriaOf = ({ categories, experimental = [] }: Rubric): ReadonlyArray<UnboundCriterion> => [
  ...categories.flatMap(({ criteria, id }) => criteria.map((definition) => unbound(definition, id, false))),
  ...experimental.map((definition) => unbound(definition, definition.category, true))
]

const unbound = (definition: Criterion, category: string, onTrial: boolean): UnboundCriterion => ({
  definition,
  category,
  onTrial,
  levels: definition.levels.map((level) => ({ ...level, tree: treeOf(level) }))
})

const treeOf = ({ when }: Level): ASTNode | null => (when === undefined ? null : Result.getOrNull(parseCondition(when)))
