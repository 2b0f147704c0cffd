import * as Schema from "effect/Schema"
import {
  annotation,
  Category,
  criterionFields,
  filledText,
  list,
  Recipe,
  Recipes,
  Reference,
  RemedyDefinition,
  Rubric,
  whole
} from "../definition/Rubric.ts"
import { criterionId, pattern } from "../definition/Rubric.ts"

/*
 * A rubric file of format 3, as its author writes it. The loader spells it out as format 2 and checks that by `Rubric`.
 */

const condition = (description: string) => filledText(`${description} A CEL condition over the plugin's facts.`)

const WeightedCheck = Schema.Struct({
  counts: whole(2, 100, "What it adds to `checks` where it holds."),
  when: condition("When it holds.")
}).annotate({ identifier: "WeightedCheck" })

/** A condition with a name. */
export const Check = Schema.Union([condition("When the check holds."), WeightedCheck]).annotate({
  ...annotation("A condition, or one with how often it counts."),
  expected: "text, or a map with `counts` and `when`"
})

/** A step: a text, `{ do, unless }`, or a text under the name of the check that it brings about. */
export const NamedStep = Schema.Union([
  filledText("One step, as an instruction. It is done where all points are earned."),
  Schema.Record(
    Schema.String,
    filledText("The step, under the name of the check that it brings about; or `do` and `unless`.")
  )
]).annotate({
  ...annotation(
    "An instruction; `check: instruction`, which is done where the check holds; or `do` with `unless`, the condition under which it is done (without one it is always advised)."
  ),
  expected: "text, a text under the name of a check, or a map with `do` and `unless`"
})

export const Read = Schema.Union([
  pattern(
    /^https:\/\/[^\s/.]+(\.[^\s/.]+)+(\/\S*)?$/u,
    "must be an https URL",
    "A URL of an RFC, or one whose title another criterion of the file, or of the rubric that it extends, gives."
  ),
  Reference
]).annotate({ ...annotation("What to read."), expected: "an https URL, or a map with `title` and `url`" })

/** The plugin and the revision that the rubric was written for. */
const PinnedPlugin = pattern(
  /^\S.*@[1-9]\d{0,5}(\.\d{1,6})?$/u,
  "must be a plugin and its revision, such as b4-metadata@3",
  "The plugin that measures, and the revision of it that this rubric was written for: `b4-metadata@3`, or `b4-metadata@3.1` if it needs facts that came later."
)

const { applies, deprecated, evidence, how, id, needs, params, title, why } = criterionFields

const optional = Schema.optionalKey

const criterionThreeFields = {
  id,
  title,
  plugin: PinnedPlugin,
  needs,
  applies,
  params: optional(params),
  checks: optional(
    Schema.Record(Schema.String, Check).annotate(
      annotation("Conditions with names, for `points` and `steps`; `checks` in a condition is how many hold.")
    )
  ),
  points: Schema.Record(Schema.String, condition("What these points ask for.")).annotate(
    annotation(
      "Points and the condition that earns them, from high to low; the first that holds counts. The first is `present`, the others are `partial`, also `0`: there in part, which earns nothing. Where none holds the criterion is `absent`."
    )
  ),
  why,
  how,
  effort: RemedyDefinition.fields.effort,
  steps: list(NamedStep).annotate(annotation("What to do, in order.")),
  recipes: optional(Recipes.annotate(annotation("How to do it, by documentation generator."))),
  read: list(Read).annotate(annotation("Where the criterion comes from, or what to read about it.")),
  evidence,
  deprecated
}

/** What one plugin measures, and how that is judged, explained and fixed. */
export const CriterionThree = Schema.Struct(criterionThreeFields).annotate({ identifier: "CriterionThree" })

const { id: letter, key, points, title: heading, why: reason } = Category.fields

/** A category; its criteria are those whose ids begin with its letter. */
const CategoryThree = Schema.Struct({ id: letter, key, title: heading, points, why: reason }).annotate({
  identifier: "CategoryThree"
})

const SharedRecipe = Schema.Struct({
  ...Recipe.fields,
  criteria: list(criterionId("A criterion that it helps to meet."))
}).annotate({ identifier: "SharedRecipe" })

const shared = optional(list(SharedRecipe))

/** Recipes by documentation generator, each with the criteria that it serves. */
const SharedRecipes = Schema.Struct({
  docusaurus: shared,
  mkdocs: shared,
  sphinx: shared,
  starlight: shared,
  vitepress: shared
} satisfies Record<keyof typeof Recipes.Type, typeof shared>).annotate({ identifier: "SharedRecipes" })

/** A rubric file of format 3. */
export const RubricThree = Schema.Struct({
  format: Schema.Literal(3).annotate({ ...annotation("The version of this file format."), expected: "the number 3" }),
  id: Rubric.fields.id,
  version: Rubric.fields.version,
  draft: Rubric.fields.draft,
  title: Rubric.fields.title,
  verdicts: Rubric.fields.verdicts,
  categories: list(CategoryThree),
  criteria: list(CriterionThree).annotate(annotation("All criteria; the letter of an id is its category.")),
  experimental: optional(
    Schema.Array(CriterionThree).annotate(annotation("Criteria on trial: measured, reported apart, earning nothing."))
  ),
  recipes: optional(
    SharedRecipes.annotate(annotation("Recipes that serve several criteria, or are kept in one place."))
  ),
  changes: Rubric.fields.changes
}).annotate({ title: "docgauge rubric, format 3", identifier: "RubricThree" })
