import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SchemaParser from "effect/SchemaParser"
import { reject } from "../RubricSource.ts"
import { fileText } from "../source/FileText.ts"
import { suggestion } from "../source/NearestName.ts"
import type { RubricInvalid } from "../source/Problem.ts"
import { shapeDiagnostics } from "../source/SchemaDiagnostics.ts"
import { type Diagnostic, sourceText } from "../source/SourceText.ts"
import { readYamlSource, type YamlNode } from "../source/YamlSource.ts"
import { RecipeBook } from "./Recipes.ts"

const decode = SchemaParser.decodeUnknownResult(RecipeBook, { errors: "all", onExcessProperty: "error" })

/**
 * Reads `recipes.yaml` from its bytes and checks it as a rubric is checked: all problems are found at once, each with its place.
 *
 * @param criteria the ids that there are; a recipe for any other is a problem.
 */
export const loadRecipes = (bytes: Uint8Array, file: string, criteria: ReadonlyArray<string>): Effect.Effect<RecipeBook, RubricInvalid> =>
  Effect.suspend(() => {
    const { diagnostic, text } = fileText(bytes)
    const source = sourceText(file, text)
    if (diagnostic !== null) return reject(source, [diagnostic])
    const { diagnostics, root } = readYamlSource(source)
    if (root === null) return reject(source, diagnostics)
    const decoded = decode(root.plain)
    const problems = [...diagnostics, ...shapeDiagnostics(decoded, root), ...nameProblems(root, criteria)]
    return Result.isFailure(decoded) || problems.length > 0 ? reject(source, problems) : Effect.succeed(decoded.success)
  })

const listOf = (node: YamlNode | undefined, key: string): ReadonlyArray<YamlNode> => node?.entries.get(key)?.node.items ?? []

/** Tools of one id, and criteria that do not exist. */
const nameProblems = (root: YamlNode, criteria: ReadonlyArray<string>): ReadonlyArray<Diagnostic> => {
  const seen = new Set<unknown>()
  return listOf(root, "tools").flatMap((tool): ReadonlyArray<Diagnostic> => {
    const id = tool.entries.get("id")?.node
    const repeated = id !== undefined && seen.has(id.plain)
    seen.add(id?.plain)
    const unknown = listOf(tool, "recipes").flatMap((recipe) => listOf(recipe, "criteria")).filter(({ plain }) => typeof plain === "string" && !criteria.includes(plain))
    return [
      ...(repeated ? [{ rule: "duplicate_id" as const, span: id.span, message: `a tool named ${String(id.plain)} is already in the file`, hint: null }] : []),
      ...unknown.map(({ plain, span }): Diagnostic => ({
        rule: "value",
        span,
        message: `there is no criterion ${String(plain)}`,
        hint: suggestion(String(plain), criteria, "the criteria are")
      }))
    ]
  })
}
