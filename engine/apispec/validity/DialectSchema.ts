import type { AnySchemaObject } from "ajv"

const TEXT = { type: "string" }
const YES_OR_NO = { type: "boolean" }

/** An object of these members and extensions. */
const closed = (properties: AnySchemaObject, required: ReadonlyArray<string> = []): AnySchemaObject => ({
  type: "object",
  required,
  properties,
  patternProperties: { "^x-": true },
  additionalProperties: false
})

/** `nodeType` takes the place of these two. */
const NODE_TYPE_ALONE = { nodeType: { properties: { attribute: false, wrapped: false } } }

/** What OpenAPI adds to JSON Schema: the members of the base vocabulary of its dialect. */
const vocabulary = (discriminator: AnySchemaObject, xml: AnySchemaObject): AnySchemaObject => ({
  type: ["object", "boolean"],
  properties: {
    discriminator: closed(
      { propertyName: TEXT, mapping: { type: "object", additionalProperties: TEXT }, ...discriminator },
      ["propertyName"]
    ),
    externalDocs: closed({ url: TEXT, description: TEXT }, ["url"]),
    xml: {
      ...closed({ name: TEXT, namespace: TEXT, prefix: TEXT, attribute: YES_OR_NO, wrapped: YES_OR_NO, ...xml }),
      dependentSchemas: NODE_TYPE_ALONE
    }
  }
})

/**
 * A dialect as the `schema-base` of OpenAPI names it: JSON Schema 2020-12 and the vocabulary. By the dynamic anchor it
 * holds for schemas inside schemas as well.
 */
const dialect = (version: string, base: AnySchemaObject): AnySchemaObject => ({
  $id: `https://spec.openapis.org/oas/${version}/dialect/base`,
  $dynamicAnchor: "meta",
  allOf: [{ $ref: "https://json-schema.org/draft/2020-12/schema" }, base]
})

export const DIALECT_SCHEMAS = {
  "dialect-3.1": dialect("3.1", vocabulary({}, {})),
  "dialect-3.2": dialect(
    "3.2",
    vocabulary({ defaultMapping: TEXT }, { nodeType: { enum: ["element", "attribute", "text", "cdata", "none"] } })
  )
} as const
