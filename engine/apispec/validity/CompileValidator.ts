import type { AnySchemaObject, ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import standalone from "ajv/dist/standalone/index.js"
import AjvDraft04 from "ajv-draft-04"
import { type SchemaName, schemaNamed } from "./StructureSchema.ts"

/** Formats (`email`, `uri-reference`, `regex`) are about the meaning of strings, not about structure. */
const OPTIONS = { strict: false, allErrors: true, validateFormats: false, logger: false } as const

/** Failed keywords that are collected of one document: a wrong value fails several of them at each level above it. */
const FAILURES_KEPT = 20_000

/** Ends a validation that has collected enough: what is thrown has the failures so far as `failures`. */
const STOP = `const stopping = (all) => { if (all.length < ${FAILURES_KEPT}) return all; throw Object.assign(new Error("too many errors"), { failures: all }) };`

/**
 * The compiler's code copies all errors so far for each part that has some, which takes the square of their number: a
 * document may have a million. They are added to the same list instead, which has an end.
 */
const boundingErrors = (code: string): string =>
  code
    .replaceAll(
      /\bvErrors\.concat\(([\w.]+)\.errors\)/g,
      "$1.errors.reduce((all, error) => { all.push(error); return all }, stopping(vErrors))"
    )
    .replaceAll(/\bvErrors\.push\(/g, "stopping(vErrors).push(")

/** Of a function's text, and of a module's, which begins with a directive. */
const withStop = (code: string): string => code.replace(/^("use strict";)?/, `$1${STOP}`)

/** Compiles the schema of that name: 80 ms of a new process. */
export const compileValidator = async (name: SchemaName): Promise<ValidateFunction> => (await compiled(name)).validate

/** The text of a CommonJS module that exports that validator. */
export const validatorCode = async (name: SchemaName): Promise<string> => {
  const { ajv, validate } = await compiled(name)
  return withStop(boundingErrors(standalone.default(ajv, validate)))
}

const compiled = async (name: SchemaName) => {
  const schema = await schemaNamed(name)
  const options = { ...OPTIONS, code: { source: true, process: (code: string) => withStop(boundingErrors(code)) } }
  const ajv = isDraft04(schema) ? new AjvDraft04.default(options) : new Ajv2020(options)
  const validate: ValidateFunction = ajv.compile(schema)
  return { ajv, validate }
}

const isDraft04 = ({ $schema }: AnySchemaObject): boolean => typeof $schema === "string" && $schema.includes("draft-04")
