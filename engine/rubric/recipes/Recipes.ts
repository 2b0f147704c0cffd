import * as Schema from "effect/Schema"
import * as Effect from "effect/Effect"
import * as SchemaParser from "effect/SchemaParser"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import {
  CriterionId,
  HttpsUrl,
  readCheckedFile,
  repeatedIds,
  textBetween,
  textLike,
  unknownCriteria
} from "../CheckedFile.ts"
import type { BoundCriterion } from "../../plugin/Registry.ts"
import { type LoadedRubric, OWN_RUBRIC } from "../RubricFile.ts"
import type { RubricInvalid } from "../source/Problem.ts"
import { itemsUnder } from "../source/YamlSource.ts"

/** One plugin or setting and what it closes. */
export const ToolRecipe = Schema.Struct({
  /** Ids of the criteria that it closes or helps to. */
  criteria: Schema.Array(CriterionId).check(Schema.isMinLength(1)),
  /** Registry and name, such as `npm:vitepress-plugin-llms`; without one the recipe is a setting of the tool itself. */
  package: Schema.optionalKey(
    textLike(/^(?:npm|pypi|gem):[@\w./-]{1,100}$/, "must be a registry and a name, such as npm:vitepress-plugin-llms")
  ),
  /** What was tried or read; the month where there is no version. */
  version: textBetween(1, 40),
  /** What to do, in one or two sentences. */
  do: textBetween(20, 400),
  /** Its documentation. */
  url: HttpsUrl,
  /** It was built here and audited before and after. */
  tried: Schema.Boolean,
  /** `false`: neither tried, nor was its documentation read. */
  read: Schema.optionalKey(Schema.Literal(false))
}).annotate({ identifier: "ToolRecipe" })
export type ToolRecipe = typeof ToolRecipe.Type

const RecipeTool = Schema.Struct({
  id: textLike(/^[a-z][a-z0-9-]{1,30}$/, "must be lower case, such as github-pages"),
  title: textBetween(2, 60),
  /** `viewer`: shows an API description; `service`: publishes the site itself. */
  kind: Schema.Literals(["generator", "viewer", "service", "host"]),
  recipes: Schema.Array(ToolRecipe).check(Schema.isMinLength(1))
}).annotate({ identifier: "RecipeTool" })
type RecipeTool = typeof RecipeTool.Type

export const RecipeBook = Schema.Struct({
  format: Schema.Literal(1),
  tools: Schema.Array(RecipeTool).check(Schema.isMinLength(1))
}).annotate({ identifier: "RecipeBook" })
export type RecipeBook = typeof RecipeBook.Type

/** The recipes of a tool for some criteria, in the book's order, each with only those of its criteria that were asked for. */
export const recipesFor = (book: RecipeBook, tool: string, criteria: ReadonlySet<string>): ReadonlyArray<ToolRecipe> =>
  (book.tools.find(({ id }) => id === tool)?.recipes ?? [])
    .map((recipe) => ({ ...recipe, criteria: recipe.criteria.filter((id) => criteria.has(id)) }))
    .filter((recipe) => recipe.criteria.length > 0)

/** What has no version has the month in which its manual was read. */
const MONTH = /^\p{Lu}\p{Ll}+ \d{4}$/u

/** How sure a recipe is, for its readers. */
export const certaintyOf = ({ read, tried, version }: ToolRecipe): string =>
  tried
    ? `tried with ${version}`
    : read === false
      ? "neither read nor tried"
      : `read ${MONTH.test(version) ? "in" : "at"} ${version}, not tried`

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
