import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { type Dialect, isMismatch } from "../../engine/apispec/examples/ValueVerdict.ts"
import type { Json } from "../../engine/apispec/text/Json.ts"
import { judged } from "../apispec/examples/JudgedValue.ts"

/*
 * The official test suite of JSON Schema, as npm has it: draft 4, which OpenAPI 3.0 is written in. What later drafts left as it was holds in
 * 2020-12, too. A value of no verdict is never wrong.
 */

const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve("json-schema-test-suite/package.json")),
  "tests/draft4"
)

interface Group {
  readonly description: string
  readonly schema: Json
  readonly tests: ReadonlyArray<{ readonly description: string; readonly data: Json; readonly valid: boolean }>
}

const groupsOf = (name: string): ReadonlyArray<Group> => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"))

const UNCHANGED = [
  "additionalProperties",
  "allOf",
  "anyOf",
  "enum",
  "maxItems",
  "maxLength",
  "maxProperties",
  "minItems",
  "minLength",
  "minProperties",
  "multipleOf",
  "not",
  "oneOf",
  "pattern",
  "patternProperties",
  "properties",
  "required",
  "type",
  "uniqueItems"
]

/** Lists of schemas by position and `dependencies`: OpenAPI 3.0 has neither, and 2020-12 writes them otherwise. */
const FILES: Readonly<Record<"openapi-3.0" | "2020-12", ReadonlyArray<string>>> = {
  "openapi-3.0": [...UNCHANGED, "maximum", "minimum"],
  "2020-12": UNCHANGED
}

/** Values are met inside an object: alone, a number may be a text that YAML read. */
const verdict = (dialect: Dialect, schema: Json, data: Json) =>
  judged(dialect, { properties: { v: schema } }, { v: data })

describe.each(["openapi-3.0", "2020-12"] as const)(
  "examples by %s are judged as the official suite of JSON Schema has it",
  (dialect) => {
    test.each(FILES[dialect])("%s", (name) => {
      const wrong = groupsOf(name).flatMap(({ description, schema, tests }) =>
        tests.flatMap(({ data, description: what, valid }) => {
          const said = verdict(dialect, schema, data)
          return said !== "unknown" && isMismatch(said) === valid ? [`${description}: ${what}`] : []
        })
      )
      expect(wrong).toEqual([])
    })

    test("leaves little of it open", () => {
      const all = FILES[dialect].flatMap((name) =>
        groupsOf(name).flatMap(({ schema, tests }) => tests.map(({ data }) => verdict(dialect, schema, data)))
      )
      expect(all.length).toBeGreaterThan(150)
      expect(all.filter((said) => said === "unknown").length / all.length).toBeLessThan(0.15)
    })
  }
)
