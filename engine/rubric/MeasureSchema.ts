import * as Predicate from "effect/Predicate"

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
export const withMeasureKey = (definitions: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
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
