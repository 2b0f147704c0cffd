import * as Schema from "effect/Schema"
import { Revision } from "../../plugin/Registry.ts"

// The description of a field explains it: editors show it (rubric.schema.json), so there is one text to maintain.

export const annotation = (description: string) => ({ description })

export const list = <S extends Schema.Constraint>(item: S) =>
  Schema.Array(item).check(Schema.isMinLength(1, { message: "must not be empty" }))

export const filledText = (description: string) =>
  Schema.String.check(
    Schema.isPattern(/\S/u, { message: "must not be blank" }),
    Schema.isPattern(/^[^\u0000-\u0008\u000b-\u001f\u007f]*$/u, { message: "must not hold control characters" })
  ).annotate(annotation(description))

export const whole = (minimum: number, maximum: number, description: string) =>
  Schema.Int.check(
    Schema.isBetween({ minimum, maximum }, { message: `must be a whole number from ${minimum} to ${maximum}` })
  ).annotate({ ...annotation(description), expected: "a whole number" })

export const pattern = (regExp: RegExp, message: string, description: string) =>
  Schema.String.check(Schema.isPattern(regExp, { message })).annotate(annotation(description))

export const version = (description: string) =>
  pattern(/^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/u, 'must be a version such as "1.0.0"', description)

export const criterionId = (description: string) =>
  pattern(/^[A-Z][1-9]\d?$/u, 'must be a category letter and a number, such as "A1"', description)

export const LevelStatus = Schema.Literals(["present", "partial", "absent"])
export type LevelStatus = typeof LevelStatus.Type

/** One level of a criterion. Levels are tried in order; the first whose condition holds is the criterion's level. */
export const Level = Schema.Struct({
  status: LevelStatus.annotate(
    annotation("`present` earns all points of the criterion, `partial` some, `absent` none.")
  ),
  earns: whole(
    0,
    100,
    "Points that this level earns; they fall from level to level, from the criterion's `points` to 0."
  ),
  when: Schema.optionalKey(
    filledText(
      "A CEL condition over `facts`, the facts that the plugin measures. The last level has none: it is what remains."
    )
  )
}).annotate({ identifier: "Level" })
export type Level = typeof Level.Type

/** A step that is advised unless the facts show that it is done. */
const ConditionalStep = Schema.Struct({
  do: filledText("One step, as an instruction."),
  unless: Schema.optionalKey(
    filledText(
      "A CEL condition over `facts`, as in a level: where it holds, the step is done and is not advised. Without one, the step is always advised."
    )
  )
}).annotate({ identifier: "ConditionalStep" })

/** One step of a remedy: a plain text is always advised. */
export const Step = Schema.Union([filledText("One step, as an instruction."), ConditionalStep]).annotate({
  ...annotation("An instruction, or one with the condition under which it is done."),
  expected: "text, or a map with `do` and `unless`"
})
export type Step = typeof Step.Type

export const stepText = (step: Step): string => (typeof step === "string" ? step : step.do)

/** How to do it with one documentation generator. */
export const Recipe = Schema.Struct({
  do: filledText("Which package or setting, with the version that was read or tried."),
  url: pattern(/^https:\/\/[^\s/.]+(\.[^\s/.]+)+(\/\S*)?$/u, "must be an https URL", "Its documentation.")
}).annotate({ identifier: "Recipe" })
export type Recipe = typeof Recipe.Type

/** By documentation generator, as `engine/audit/AuditSteps.ts` recognises them. */
export const Recipes = Schema.Struct({
  docusaurus: Schema.optionalKey(Recipe),
  mkdocs: Schema.optionalKey(Recipe),
  sphinx: Schema.optionalKey(Recipe),
  starlight: Schema.optionalKey(Recipe),
  vitepress: Schema.optionalKey(Recipe)
}).annotate({ identifier: "Recipes" })
export type GeneratorName = keyof typeof Recipes.Type

/** What the steps of a remedy take. Rubrics before 3.0.0 say `low` (hours), `medium` (days) or `high` (weeks). */
export const Effort = Schema.Literals(["minutes", "hours", "days", "low", "medium", "high"])
export type Effort = typeof Effort.Type

export const EFFORT_MEANING =
  "What the steps take: `minutes`, `hours` or `days`. Rubrics before 3.0.0 say `low` (hours), `medium` (days) or `high` (weeks)."

/** What stands in for the effort of a criterion that has no remedy. */
export const USUAL_EFFORT: Effort = "hours"

const LASTS = { minutes: "minutes", hours: "hours", days: "days", low: "hours", medium: "days", high: "weeks" } as const

/** `takes hours`. */
export const effortText = (effort: Effort): string => `takes ${LASTS[effort]}`

/** Efforts beside each other, in hours of somebody who knows the site; only their order of size counts. */
const HOURS = { minutes: 1, hours: 3, days: 16, weeks: 80 } as const

export const hoursOf = (effort: Effort): number => HOURS[LASTS[effort]]

/** What a documentation team can do to reach the full points. */
export const RemedyDefinition = Schema.Struct({
  effort: Effort.annotate(annotation(EFFORT_MEANING)),
  steps: list(Step).annotate(annotation("What to do, in order.")),
  recipes: Schema.optionalKey(Recipes.annotate(annotation("How to do it, by documentation generator.")))
}).annotate({ identifier: "Remedy" })

/** Where the criterion comes from, or what to read about it. */
export const Reference = Schema.Struct({
  title: filledText("The document's title."),
  url: pattern(/^https:\/\/[^\s/.]+(\.[^\s/.]+)+(\/\S*)?$/u, "must be an https URL", "Its stable URL.")
}).annotate({ identifier: "Reference" })

/** That a criterion will go away. */
const Deprecation = Schema.Struct({
  since: version("The rubric version that deprecated it."),
  until: version("The rubric version that will drop it."),
  replaced_by: Schema.optionalKey(criterionId("The criterion that takes its place."))
}).annotate({ identifier: "Deprecation" })

export const criterionFields = {
  id: criterionId("Category letter and number, such as `A1`; unique, never used again for something else."),
  plugin: filledText("The plugin that measures: the name of its file under plugins/."),
  revision: Revision.annotate(
    annotation(
      'The plugin\'s revision that this rubric was written for: `2`, or `"2.1"`, in quotes. It also fits a plugin that has got more facts since: 2 fits 2.1.'
    )
  ),
  title: filledText("A heading that reads as something to do, such as `Publish a glossary`."),
  points: whole(1, 100, "Points that it earns at best."),
  needs: Schema.optionalKey(
    list(criterionId("A criterion that may have to earn points first.")).annotate(
      annotation(
        "Criteria of which one must earn points before this one can: while none of them does, this one is advised as part of the first."
      )
    )
  ),
  applies: Schema.optionalKey(
    Schema.Literal("site.http_api").annotate({
      ...annotation(
        "What a site must have for the criterion to apply: `site.http_api`, an HTTP API. Where it has none, the criterion earns nothing and is not advised."
      ),
      expected: 'the name "site.http_api"'
    })
  ),
  params: Schema.Record(Schema.String, Schema.Json).annotate(
    annotation("Numbers that the plugin needs while it collects; `{}` where it needs none.")
  ),
  levels: list(Level).annotate(annotation("Tried in order; the first whose condition holds counts.")),
  why: filledText("Why it matters to an agent, in one or two sentences."),
  how: filledText("How it is measured, exactly, with what was decided where it could have been decided otherwise."),
  remedy: RemedyDefinition,
  references: list(Reference),
  evidence: Schema.optionalKey(
    list(pattern(/^[a-z][a-z0-9-]{1,40}$/u, 'must be the id of a study, such as "a14y-markdown"', "A study.")).annotate(
      annotation(
        "Ids of the studies in evidence.yaml that its points rest on. The published rubric needs them; others may leave them out."
      )
    )
  ),
  deprecated: Schema.optionalKey(Deprecation)
}

/** What one plugin measures, and how that is judged, explained and fixed. */
export const CriterionDefinition = Schema.Struct(criterionFields).annotate({ identifier: "Criterion" })
export type CriterionDefinition = typeof CriterionDefinition.Type

/** A criterion that is measured and reported apart, and earns nothing until a new version of the rubric promotes it. */
export const Experiment = Schema.Struct({
  category: pattern(/^[A-Z]$/u, 'must be a category letter, such as "A"', "The category that it would belong to."),
  ...criterionFields
}).annotate({ identifier: "Experiment" })
export type Experiment = typeof Experiment.Type

export const Category = Schema.Struct({
  id: pattern(/^[A-Z]$/u, 'must be one capital letter, such as "A"', "One capital letter."),
  key: pattern(
    /^[A-Z]_[a-z]+(_[a-z]+)*$/u,
    'must be the letter and a name, such as "A_discovery"',
    "The key in reports."
  ),
  title: filledText("A heading."),
  points: whole(1, 100, "What its criteria's points come to."),
  why: filledText("Why it matters to an agent, in one sentence."),
  criteria: list(CriterionDefinition)
}).annotate({ identifier: "Category" })
export type Category = typeof Category.Type

/** A word for a range of totals. */
export const Verdict = Schema.Struct({
  from: whole(0, 100, "The least total that it is said of."),
  word: filledText("What a reader can say aloud."),
  meaning: filledText("What it means, in one sentence.")
}).annotate({ identifier: "Verdict" })
export type Verdict = typeof Verdict.Type

export const Change = Schema.Struct({
  version: version("The version that brought it."),
  date: pattern(
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/u,
    'must be a date such as "2026-11-21"',
    "The day of its release."
  ),
  what: filledText("What changed, in words."),
  criteria: Schema.Union([Schema.Literal("all"), Schema.Array(criterionId("A criterion that it touches."))]).annotate({
    ...annotation("The criteria that it touches, or `all`."),
    expected: '"all" or a list of criteria'
  })
}).annotate({ identifier: "Change" })
export type Change = typeof Change.Type

/** A rubric as its file has it: everything that facts are judged by. */
export const Rubric = Schema.Struct({
  format: Schema.Literals([1, 2]).annotate({
    ...annotation(
      "The version of this file format. `needs`, `applies`, `unless` and `recipes` are format 2; new files are of format 3."
    ),
    expected: "the number 1, 2 or 3"
  }),
  id: pattern(
    /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/u,
    'must be a name such as "docs-ai-readiness"',
    "The rubric's name; stays the same over its versions."
  ),
  version: version("Patch: words. Minor: can only raise a score, or adds what earns nothing. Major: everything else."),
  draft: Schema.optionalKey(
    Schema.Boolean.annotate({
      ...annotation("Not released yet: its rules may still change, and its digest tells its states apart."),
      expected: "true or false"
    })
  ),
  title: filledText("The question that the score answers."),
  verdicts: list(Verdict).annotate(annotation("Highest first; the last is from 0.")),
  categories: list(Category),
  experimental: Schema.optionalKey(
    Schema.Array(Experiment).annotate(annotation("Criteria on trial: measured, reported apart, earning nothing."))
  ),
  changes: list(Change).annotate(annotation("Newest first; the first is of this version."))
}).annotate({ title: "docgauge rubric" })
export type Rubric = typeof Rubric.Type
