import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { FactFields } from "../plugin/Fact.ts"
import { type RegisteredCriterion, revisionParts } from "../plugin/Registry.ts"
import {
  annotation,
  Category,
  Change,
  criterionFields,
  criterionId,
  Effort,
  EFFORT_MEANING,
  Experiment,
  filledText,
  list,
  pattern,
  Recipes,
  Rubric,
  Step,
  Verdict,
  version
} from "./definition/Rubric.ts"
import { Check, CriterionThree, NamedStep, Read, RubricThree } from "./format/FormatThree.ts"

/*
 * A rubric file that changes another one. This schema is for editors; the loader merges the file into its base, and checks the
 * whole by `Rubric`.
 */

const { applies, deprecated, evidence, id, needs, ...required } = criterionFields

const optional = Schema.optionalKey

/** Empty: without it. */
const removable = <S extends Schema.Constraint>(schema: S) => optional(Schema.NullOr(schema))

const CriterionChange = Schema.Struct({
  id,
  category: optional(
    pattern(
      /^[A-Z]$/u,
      'must be a category letter, such as "A"',
      "Of a new criterion: the category that it belongs to. All other keys are then needed."
    )
  ),
  plugin: optional(required.plugin),
  revision: optional(required.revision),
  title: optional(required.title),
  points: optional(
    Schema.Union([required.points, Schema.Record(Schema.String, Schema.NullOr(Schema.String))]).annotate(
      annotation(
        "Format 3: points and their conditions, which are merged with the base's by their number; an empty condition removes one. Format 2: all points."
      )
    )
  ),
  checks: optional(
    Schema.Record(Schema.String, Schema.NullOr(Check)).annotate(
      annotation("Checks that change, and new ones; an empty one is removed.")
    )
  ),
  effort: optional(Effort.annotate(annotation(EFFORT_MEANING))),
  steps: optional(
    Schema.Union([list(NamedStep), Schema.Record(Schema.String, Schema.NullOr(filledText("The step.")))]).annotate(
      annotation(
        "A list replaces the base's; a map replaces its steps by the names of their checks, and an empty step is removed."
      )
    )
  ),
  recipes: removable(Recipes),
  read: optional(list(Read)),
  needs: removable(needs.schema),
  applies: removable(applies.schema),
  params: optional(Schema.Record(Schema.String, Schema.Json).annotate(annotation("Those that change."))),
  levels: optional(required.levels),
  why: optional(required.why),
  how: optional(required.how),
  remedy: optional(
    Schema.Struct({ effort: optional(Effort), steps: optional(list(Step)), recipes: removable(Recipes) })
  ),
  references: optional(required.references),
  evidence: removable(evidence.schema),
  deprecated: removable(deprecated.schema)
}).annotate({ identifier: "CriterionChange" })

const CategoryChange = Schema.Struct({
  id: Category.fields.id,
  key: optional(Category.fields.key),
  title: optional(Category.fields.title),
  points: optional(Category.fields.points),
  why: optional(Category.fields.why)
}).annotate({ identifier: "CategoryChange" })

const RubricExtension = Schema.Struct({
  format: optional(
    Schema.Literal(3).annotate(
      annotation("`3`, if this file is of format 3; without it, the keys of each criterion tell.")
    )
  ),
  extends: pattern(
    /^[a-z][a-z0-9-]*@\d+(\.\d+){0,2}$/u,
    'must be a name and a version, such as "docs-ai-readiness@2"',
    "The rubric that this file changes, with its version: `docs-ai-readiness@2`."
  ),
  id: optional(
    pattern(
      /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/u,
      'must be a name such as "acme-docs"',
      "A name of its own. Needed to change the points of categories and the list of criteria; `version` and `changes` come with it."
    )
  ),
  version: optional(version("The version under the name of its own.")),
  title: optional(filledText("The question that the score answers.")),
  verdicts: optional(list(Verdict).annotate(annotation("All verdicts, highest first; the last is from 0."))),
  categories: optional(Schema.Array(CategoryChange).annotate(annotation("Categories that change, and new ones."))),
  criteria: optional(
    Schema.Array(CriterionChange).annotate(
      annotation(
        "Criteria that change, by id, each with the keys that change; and new ones, which name their category. Maps are merged, lists are replaced, and an empty value removes its key."
      )
    )
  ),
  remove: optional(Schema.Array(criterionId("A criterion.")).annotate(annotation("Criteria that are left out."))),
  experimental: optional(
    Schema.Array(Schema.Union([CriterionThree, Experiment])).annotate(
      annotation("New criteria on trial: measured, reported apart, earning nothing.")
    )
  ),
  changes: optional(list(Change).annotate(annotation("Newest first; the first is of this version.")))
}).annotate({ title: "docgauge rubric that extends another one" })

/**
 * The JSON Schema of a rubric file, for editors: draft 2020-12.
 *
 * @param plugins those whose names, params and facts it knows.
 */
export const rubricJsonSchema = (plugins: ReadonlyArray<DescribedPlugin>): object => {
  const [two, three, extension] = [documentOf(Rubric), documentOf(RubricThree), documentOf(RubricExtension)]
  const names = pluginNames(plugins)
  const definitions: Record<string, object> = {
    ...two.definitions,
    ...three.definitions,
    ...extension.definitions,
    ...pluginDefinitions(plugins)
  }
  for (const name of ["Criterion", "Experiment"])
    definitions[name] = knowing(definitions[name], names.plain, plainConditions(plugins))
  definitions["CriterionThree"] = knowing(definitions["CriterionThree"], names.pinned, pinnedConditions(plugins))
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "docgauge rubric",
    type: "object",
    if: { required: ["extends"] },
    then: extension.schema,
    else: {
      if: { properties: { format: { const: 3 } }, required: ["format"] },
      then: three.schema,
      else: two.schema
    },
    $defs: withMeasureKey(definitions)
  }
}

/** A criterion whose plugin is one of `names`; `conditions` say what each plugin asks for. */
const knowing = (criterion: object | undefined, names: object, conditions: ReadonlyArray<object>): object => ({
  ...criterion,
  allOf: [{ properties: { plugin: names } }, ...conditions]
})

const documentOf = (schema: typeof Rubric | typeof RubricThree | typeof RubricExtension) =>
  Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })

const text = (description: string) => ({ type: "string", description })
const characters = (description: string) => ({ type: "integer", minimum: 0, maximum: 2000, description })

const CONDITIONS = {
  equals: text("The text must be this."),
  contains: text("The text must contain this."),
  matches: text(
    "A regular expression that the text must match, without look-around, back references and word boundaries."
  ),
  min_characters: characters("Characters that the text must have at least."),
  max_characters: characters("Characters that the text may have at most.")
}

/** The JSON Schema of `measure`, which withMeasures reads. */
const MEASURE = {
  description: "What to measure without a plugin, in place of `plugin`, `revision` and `params`.",
  type: "object",
  properties: {
    pages: {
      description: "The share of HTML pages with an element; facts: `pages`, `matching`.",
      type: "object",
      properties: {
        select: text("A selector, such as `meta[name=owner]`."),
        attribute: text("The attribute to judge; the element's text if it is missing."),
        ...CONDITIONS
      },
      required: ["select"],
      additionalProperties: false
    },
    description: {
      description: "The share of places of the API description with a value; facts: `found`, `places`, `matching`.",
      type: "object",
      properties: {
        at: text("A JSON pointer, such as `/info` or `/components/schemas/*`, or `operations`."),
        has: text("The member to judge; the value itself if it is missing."),
        ...CONDITIONS
      },
      required: ["at"],
      additionalProperties: false
    }
  },
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false
}

/** What `measure` stands in place of. */
const REPLACED = new Set(["plugin", "revision", "params"])

/** Lets each definition of a criterion have `measure` in place of its plugin. */
const withMeasureKey = (definitions: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, measurable(schema)]))

const measurable = (schema: unknown): unknown => {
  if (!Predicate.hasProperty(schema, "properties") || !Predicate.hasProperty(schema.properties, "plugin")) return schema
  const properties = { ...schema.properties, measure: MEASURE }
  const required: ReadonlyArray<unknown> =
    Predicate.hasProperty(schema, "required") && Array.isArray(schema.required) ? schema.required : []
  const replaced = required.filter((key) => typeof key === "string" && REPLACED.has(key))
  return replaced.length === 0
    ? { ...schema, properties }
    : {
        ...schema,
        properties,
        required: required.filter((key) => !replaced.includes(key)),
        oneOf: [{ required: replaced }, { required: ["measure"] }]
      }
}

/** What the JSON Schema of a rubric says of a plugin. */
type DescribedPlugin = Pick<RegisteredCriterion, "id" | "revision" | "facts" | "params">

/** Plugins by their names in a rubric file: ours, or one from outside, which has a path or a `#` in its name. */
const pluginNames = (plugins: ReadonlyArray<DescribedPlugin>) => ({
  pinned: { anyOf: [{ enum: plugins.flatMap(pinnedNames) }, OUTSIDE] },
  plain: { anyOf: [{ enum: plugins.map(({ id }) => id) }, OUTSIDE] }
})

const OUTSIDE = { type: "string", pattern: "[#/]" }

const pinnedNames = ({ id, revision }: DescribedPlugin): ReadonlyArray<string> => [
  ...new Set([`${id}@${revisionParts(revision).major}`, `${id}@${revision}`])
]

/** What a criterion of format 3 is if a plugin measures it: its params, and the facts for its conditions. */
const pinnedConditions = (plugins: ReadonlyArray<DescribedPlugin>): ReadonlyArray<object> =>
  plugins.map((plugin) =>
    whereMeasured(
      { plugin: { pattern: `^${plugin.id}@${revisionParts(plugin.revision).major}(?:\\.|$)` } },
      {
        params: referenceTo("Params", plugin),
        checks: referenceTo("Facts", plugin),
        points: referenceTo("Facts", plugin)
      }
    )
  )

/** The same of format 2. */
const plainConditions = (plugins: ReadonlyArray<DescribedPlugin>): ReadonlyArray<object> =>
  plugins.map((plugin) =>
    whereMeasured(
      { plugin: { const: plugin.id }, revision: { const: plugin.revision } },
      { params: referenceTo("Params", plugin), levels: referenceTo("Facts", plugin) }
    )
  )

const whereMeasured = (plugin: object, properties: object): object => ({
  if: { properties: plugin, required: Object.keys(plugin) },
  then: { properties }
})

const referenceTo = (what: "Facts" | "Params", { id }: DescribedPlugin) => ({ $ref: `#/$defs/${what}-${id}` })

/** The params of each plugin, and its facts as a description, to which criteria refer. */
const pluginDefinitions = (plugins: ReadonlyArray<DescribedPlugin>): Readonly<Record<string, object>> =>
  Object.fromEntries(
    plugins.flatMap(({ facts, id, params }): ReadonlyArray<readonly [string, object]> => [
      [`Facts-${id}`, { description: factsText(facts) }],
      [`Params-${id}`, Schema.toJsonSchemaDocument(params, { onExcessProperty: "error" }).schema]
    ])
  )

const factsText = (facts: FactFields): string =>
  `Facts: ${Object.entries(facts)
    .map(([name, fact]) => `\`${name}\` (${fact.kind}): ${fact.meaning}${wordsOf(fact)}`)
    .join("; ")}.`

const wordsOf = (fact: FactFields[string]): string => (fact.kind === "word" ? `, one of ${fact.words.join(", ")}` : "")
