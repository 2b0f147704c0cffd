import * as Schema from "effect/Schema"
import type { RegisteredCriterion } from "../criterion/Registry.ts"
import type { FactFields } from "../criterion/Fact.ts"
import { revisionParts } from "../criterion/Revision.ts"

/** What the JSON Schema of a rubric says of a plugin. */
export type DescribedPlugin = Pick<RegisteredCriterion, "id" | "revision" | "facts" | "params">

/** Plugins by their names in a rubric file: ours, or one from outside, which has a path or a `#` in its name. */
export const pluginNames = (plugins: ReadonlyArray<DescribedPlugin>) => ({
  pinned: { anyOf: [{ enum: plugins.flatMap(pinnedNames) }, OUTSIDE] },
  plain: { anyOf: [{ enum: plugins.map(({ id }) => id) }, OUTSIDE] }
})

const OUTSIDE = { type: "string", pattern: "[#/]" }

const pinnedNames = ({ id, revision }: DescribedPlugin): ReadonlyArray<string> => [
  ...new Set([`${id}@${revisionParts(revision).major}`, `${id}@${revision}`])
]

/** What a criterion of format 3 is if a plugin measures it: its params, and the facts for its conditions. */
export const pinnedConditions = (plugins: ReadonlyArray<DescribedPlugin>): ReadonlyArray<object> =>
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
export const plainConditions = (plugins: ReadonlyArray<DescribedPlugin>): ReadonlyArray<object> =>
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
export const pluginDefinitions = (plugins: ReadonlyArray<DescribedPlugin>): Readonly<Record<string, object>> =>
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
