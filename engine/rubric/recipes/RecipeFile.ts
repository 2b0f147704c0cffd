import type * as Effect from "effect/Effect"
import * as SchemaParser from "effect/SchemaParser"
import { readCheckedFile, repeatedIds, unknownCriteria } from "../CheckedFile.ts"
import type { RubricInvalid } from "../source/Problem.ts"
import { itemsUnder } from "../source/YamlSource.ts"
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
  readCheckedFile(bytes, file, {
    decode,
    whole: "a file of recipes",
    problems: (root) => {
      const tools = itemsUnder(root, "tools")
      const recipes = tools.flatMap((tool) => itemsUnder(tool, "recipes"))
      return [...repeatedIds(tools, "tool"), ...recipes.flatMap((recipe) => unknownCriteria(recipe, criteria))]
    }
  })
