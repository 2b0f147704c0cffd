import * as Effect from "effect/Effect"
import * as SchemaParser from "effect/SchemaParser"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { BoundCriterion } from "../../plugin/Registry.ts"
import { readCheckedFile, repeatedIds, unknownCriteria } from "../CheckedFile.ts"
import { type EvidenceBook, loadEvidence } from "../Evidence.ts"
import { type LoadedRubric, OWN_RUBRIC } from "../RubricFile.ts"
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

/**
 * The recipes that come with docgauge, beside its rubric; `null` for a rubric that lacks criteria which they name. They name criteria by the
 * ids of our rubric, after which plugins are named: another rubric may give an id to another plugin.
 */
export const ownRecipes = ({ criteria }: LoadedRubric<BoundCriterion>): Effect.Effect<RecipeBook | null> => {
  const path = join(dirname(OWN_RUBRIC.file), "recipes.yaml")
  const ids = criteria.flatMap(({ definition: { id, plugin } }) =>
    plugin.startsWith(`${id.toLowerCase()}-`) ? [id] : []
  )
  const read = Effect.flatMap(
    Effect.promise(() => readFile(path)),
    (bytes) => loadRecipes(bytes, path, ids)
  )
  return Effect.match(read, { onFailure: () => null, onSuccess: (book) => book })
}

/** The studies that come with docgauge, beside its rubric. A file of our own that cannot be read is a defect. */
export const ownEvidence: Effect.Effect<EvidenceBook> = Effect.suspend(() => {
  const path = join(dirname(OWN_RUBRIC.file), "evidence.yaml")
  return Effect.orDie(
    Effect.flatMap(
      Effect.promise(() => readFile(path)),
      (bytes) => loadEvidence(bytes, path)
    )
  )
})
