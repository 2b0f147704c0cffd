import * as Schema from "effect/Schema"
import { CriterionId, HttpsUrl, textBetween, textLike } from "../FieldChecks.ts"

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
