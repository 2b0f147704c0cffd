import * as Schema from "effect/Schema"
import { Effort, EFFORT_MEANING } from "./definition/Effort.ts"
import { Check, CriterionThree, NamedStep, Read, RubricThree } from "./format/FormatThree.ts"
import { withMeasureKey } from "./MeasureSchema.ts"
import {
  type DescribedPlugin,
  pluginDefinitions,
  plainConditions,
  pinnedConditions,
  pluginNames
} from "./PluginSchemas.ts"
import {
  Category,
  Change,
  criterionFields,
  criterionId,
  annotation,
  Experiment,
  list,
  pattern,
  Recipes,
  Step,
  Rubric,
  filledText,
  Verdict,
  version
} from "./definition/Rubric.ts"

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

/** A rubric file with `extends`. */
export const RubricExtension = Schema.Struct({
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
