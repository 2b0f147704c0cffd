import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { BoundCriterion } from "../../plugin/Registry.ts"
import { type EvidenceBook, loadEvidence } from "../Evidence.ts"
import { loadRecipes } from "./RecipeFile.ts"
import type { RecipeBook } from "./Recipes.ts"
import { type LoadedRubric, OWN_RUBRIC } from "../RubricFile.ts"

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
