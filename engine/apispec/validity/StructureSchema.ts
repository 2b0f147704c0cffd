import type { AnySchemaObject } from "ajv"

/** Versions whose official schema the package has. */
const OFFICIAL = ["2.0", "3.0", "3.1", "3.2"] as const
type Official = (typeof OFFICIAL)[number]

/** What a description of each format cannot do without, where its whole schema would outweigh the rest of the package. */
const ESSENTIAL = ["openapi", "asyncapi", "openrpc", "postman"] as const
type Essential = (typeof ESSENTIAL)[number]

/** The dialects of JSON Schema that Schema Objects of OpenAPI 3.1 and later are written in. */
const DIALECTS = ["dialect-3.1", "dialect-3.2"] as const
type Dialect = (typeof DIALECTS)[number]

/** All the schemas there are. */
export const SCHEMA_NAMES = [...OFFICIAL, ...ESSENTIAL, ...DIALECTS] as const

/** A schema to hold a document, or for a dialect a Schema Object, against. */
export type SchemaName = (typeof SCHEMA_NAMES)[number]

/** Whether the schema of that name is the one that the format's authors publish for a version. */
export const isOfficial = (name: string): name is Official => OFFICIAL.some((official) => official === name)

const isDialect = (name: string): name is Dialect => DIALECTS.some((dialect) => dialect === name)

export const schemaNamed = async (name: SchemaName): Promise<AnySchemaObject> => {
  if (isOfficial(name)) return (await PUBLISHED[name]()).default
  return isDialect(name) ? DIALECT_SCHEMAS[name] : ESSENTIALS[name]
}

const PUBLISHED: Readonly<Record<Official, () => Promise<{ readonly default: AnySchemaObject }>>> = {
  "2.0": () => import("@seriousme/openapi-schema-validator/schemas/v2.0/schema.json", { with: { type: "json" } }),
  "3.0": () => import("@seriousme/openapi-schema-validator/schemas/v3.0/schema.json", { with: { type: "json" } }),
  "3.1": () => import("@seriousme/openapi-schema-validator/schemas/v3.1/schema.json", { with: { type: "json" } }),
  "3.2": () => import("@seriousme/openapi-schema-validator/schemas/v3.2/schema.json", { with: { type: "json" } })
}

const INFO = {
  type: "object",
  required: ["title", "version"],
  properties: { title: { type: "string" }, version: { type: "string" } }
}

const ESSENTIALS: Readonly<Record<Essential, AnySchemaObject>> = {
  openapi: { type: "object", required: ["openapi", "info"], properties: { info: INFO, paths: { type: "object" } } },
  asyncapi: {
    type: "object",
    required: ["asyncapi", "info"],
    properties: {
      info: INFO,
      channels: { type: "object", additionalProperties: { type: "object" } },
      operations: { type: "object", additionalProperties: { type: "object" } },
      servers: { type: "object", additionalProperties: { type: "object" } },
      components: { type: "object" }
    }
  },
  openrpc: {
    type: "object",
    required: ["openrpc", "info", "methods"],
    properties: {
      info: INFO,
      methods: {
        type: "array",
        items: {
          type: "object",
          if: { not: { required: ["$ref"] } },
          then: {
            required: ["name", "params"],
            properties: {
              name: { type: "string" },
              params: {
                type: "array",
                items: { type: "object", if: { not: { required: ["$ref"] } }, then: { required: ["name", "schema"] } }
              }
            }
          }
        }
      },
      components: { type: "object" }
    }
  },
  postman: {
    type: "object",
    required: ["info", "item"],
    properties: {
      info: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
      item: { $ref: "#/$defs/items" }
    },
    $defs: {
      items: {
        type: "array",
        items: {
          type: "object",
          anyOf: [{ required: ["request"] }, { required: ["item"] }],
          properties: { item: { $ref: "#/$defs/items" } }
        }
      }
    }
  }
}

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

const DIALECT_SCHEMAS = {
  "dialect-3.1": dialect("3.1", vocabulary({}, {})),
  "dialect-3.2": dialect(
    "3.2",
    vocabulary({ defaultMapping: TEXT }, { nodeType: { enum: ["element", "attribute", "text", "cdata", "none"] } })
  )
} as const
