import { createRequire } from "node:module"
import { runInThisContext } from "node:vm"
import type { ValidateFunction } from "ajv"
import { describe, expect, test } from "vitest"
import { compileValidator, validatorCode } from "../../engine/apispec/validity/CompileValidator.ts"
import { SCHEMA_NAMES, type SchemaName } from "../../engine/apispec/validity/StructureSchema.ts"

/** The validator as the package has it: its text, evaluated as a module. */
const packaged = async (name: SchemaName): Promise<ValidateFunction> => {
  const module: { exports: ValidateFunction | null } = { exports: null }
  runInThisContext(`(module, exports, require) => {${await validatorCode(name)}}`)(
    module,
    module,
    createRequire(import.meta.url)
  )
  if (module.exports === null) throw new Error("the module exports nothing")
  return module.exports
}

const operation = {
  parameters: [{ in: "nowhere", name: 3 }],
  responses: { 200: { content: { "application/json": { schema: { type: "strange" } } } } }
}

const WRONG = {
  openapi: "3.1.0",
  swagger: "2.0",
  asyncapi: 3,
  openrpc: "1.3.2",
  info: { title: 1, extra: true },
  item: [{ name: "no request" }, { item: [{}] }],
  methods: [{ name: "m", params: [{ name: "p" }] }],
  paths: { "/a": { get: operation, $ref: 4 }, "no slash": {} },
  channels: { c: 1 },
  type: ["object", "strange"],
  properties: { p: { minimum: "1", $defs: { d: 4 } } }
}

describe("a validator of the package", () => {
  test.each(SCHEMA_NAMES)("%s finds what the one that is compiled on the spot finds", async (name) => {
    const [here, there] = [await compileValidator(name), await packaged(name)]
    for (const document of [WRONG, {}, [], "text", { ...WRONG, paths: {} }]) {
      expect(there(document)).toBe(here(document))
      expect(there.errors).toEqual(here.errors)
    }
    expect(here(WRONG)).toBe(false)
  })
})
