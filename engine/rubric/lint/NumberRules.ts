import type { ASTNode } from "@marcbachmann/cel-js"
import * as Result from "effect/Result"
import { parseCondition } from "../condition/Condition.ts"
import { children } from "../condition/ConditionTree.ts"
import { placeWithin } from "../source/ComposedText.ts"
import type { Draft, DraftCriterion } from "../source/Draft.ts"
import type { Diagnostic, SourceText } from "../source/SourceText.ts"
import { draftNumbers } from "../texts/TextNumbers.ts"

/** Code, which is left alone, or a number that a text gives as a threshold: a share, or one with its unit. */
const GIVEN =
  /`[^`]*`|(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,3})?)(?:(%)|(?: (?:characters|bytes|pages|days|seconds|points)\b))/gu

/**
 * Numbers in texts that are none of the criterion's own: those of its levels, steps, params and points. They may be out of date; a
 * text that names its numbers cannot be.
 *
 * @param rule in the published rubric a mistake (`text_number`), in others a warning.
 */
export const looseNumbers = (
  { criteria }: Draft,
  source: SourceText,
  rule: "text_number" | "loose_number" = "loose_number"
): ReadonlyArray<Diagnostic> =>
  criteria.flatMap((criterion) => {
    const own = ownNumbers(criterion)
    return criterion.texts.flatMap((text) =>
      [...text.value.matchAll(GIVEN)].flatMap(
        ({ 0: whole, 1: digits, 2: percent, index }): ReadonlyArray<Diagnostic> => {
          if (digits === undefined) return []
          const number = Number(digits.replaceAll(",", ""))
          if (own.has(percent === undefined ? number : number / 100)) return []
          return [
            {
              rule,
              span: placeWithin(source.text, text, { start: index, end: index + whole.length }),
              message: `${digits}${percent ?? ""} is no number of this criterion's levels, steps, params or points`,
              hint: "name it in braces, such as {points}, if it is one of them; else put it in back-ticks"
            }
          ]
        }
      )
    )
  })

const ownNumbers = (criterion: DraftCriterion): ReadonlySet<number> => {
  const { conditions, params, points } = draftNumbers(criterion)
  const compared = conditions.flatMap((condition) =>
    Result.match(parseCondition(condition), { onFailure: () => [], onSuccess: literalsIn })
  )
  return new Set([...compared, ...points, ...Object.values(params).filter((value) => typeof value === "number")])
}

const literalsIn = (node: ASTNode): ReadonlyArray<number> =>
  node.op === "value"
    ? typeof node.args === "bigint" || typeof node.args === "number"
      ? [Number(node.args)]
      : []
    : children(node).flatMap(literalsIn)
