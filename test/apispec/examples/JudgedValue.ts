import { verdictOf } from "../../../engine/apispec/examples/SchemaMismatch.ts"
import type { Dialect, ValueVerdict } from "../../../engine/apispec/examples/ValueVerdict.ts"
import { indexDocument } from "../../../engine/apispec/text/Documents.ts"
import type { Json } from "../../../engine/apispec/text/Json.ts"

/** What is said of a value of a request against a schema, as of an example. */
export const judged = (dialect: Dialect, schema: Json, given: Json): ValueVerdict => {
  const root = { at: schema }
  const main = indexDocument({
    _tag: "ParsedDocument",
    url: "https://docs.example.com/",
    notation: "json",
    root,
    duplicates: []
  })
  const byUrl = new Map([[main.url, main]])
  const documents = { main, byUrl, examples: new Map(), absent: new Set<string>(), resolved: new Map() }
  const memory = { matchers: new Map(), enums: new Map(), definitions: new Map() }
  const work = { left: 100_000 }
  const comparison = {
    documents,
    dialect,
    direction: "request",
    textual: false,
    formats: true,
    work,
    ...memory
  } as const
  return verdictOf(comparison, given, { value: schema, document: main, path: ["at"] })
}
