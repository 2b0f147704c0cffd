import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SchemaParser from "effect/SchemaParser"
import { readRubricText, reject } from "../RubricSource.ts"
import { suggestion } from "../source/NearestName.ts"
import type { RubricInvalid } from "../source/Problem.ts"
import { shapeDiagnostics } from "../source/SchemaDiagnostics.ts"
import type { Diagnostic } from "../source/SourceText.ts"
import { itemsUnder, readYamlSource, type YamlNode } from "../source/YamlSource.ts"
import { RecipeBook } from "./Recipes.ts"

const decode = SchemaParser.decodeUnknownResult(RecipeBook, { errors: "all", onExcessProperty: "error" })

/**
 * Reads `recipes.yaml` from its bytes and checks it as a rubric is checked: all problems are found at once, each with its place.
 *
 * @param criteria the ids that there are; a recipe for any other is a problem.
 */
export const loadRecipes = (
  bytes: Uint8Array,
  file: string,
  criteria: ReadonlyArray<string>
): Effect.Effect<RecipeBook, RubricInvalid> =>
  Effect.flatMap(readRubricText(bytes, file), (source) => {
    const { diagnostics, root } = readYamlSource(source)
    if (root === null) return reject(source, diagnostics)
    const decoded = decode(root.plain)
    const problems = [
      ...diagnostics,
      ...shapeDiagnostics(decoded, root, "a file of recipes"),
      ...nameProblems(root, criteria)
    ]
    return Result.isFailure(decoded) || problems.length > 0 ? reject(source, problems) : Effect.succeed(decoded.success)
  })

/** Tools of one id, and criteria that do not exist. */
const nameProblems = (root: YamlNode, criteria: ReadonlyArray<string>): ReadonlyArray<Diagnostic> => {
  const seen = new Set<unknown>()
  return itemsUnder(root, "tools").flatMap((tool): ReadonlyArray<Diagnostic> => {
    const id = tool.entries.get("id")?.node
    const repeated = id !== undefined && seen.has(id.plain)
    seen.add(id?.plain)
    const unknown = itemsUnder(tool, "recipes")
      .flatMap((recipe) => itemsUnder(recipe, "criteria"))
      .filter(({ plain }) => typeof plain === "string" && !criteria.includes(plain))
    return [
      ...(repeated
        ? [
            {
              rule: "duplicate_id" as const,
              span: id.span,
              message: `a tool named ${String(id.plain)} is already in the file`,
              hint: null
            }
          ]
        : []),
      ...unknown.map(({ plain, span }): Diagnostic => ({
        rule: "value",
        span,
        message: `there is no criterion ${String(plain)}`,
        hint: suggestion(String(plain), criteria, "the criteria are")
      }))
    ]
  })
}
