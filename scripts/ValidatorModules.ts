import type { Plugin } from "rolldown"
import { validatorCode } from "../engine/site/spec/CompileValidator.ts"
import { SCHEMA_NAMES, type SchemaName } from "../engine/site/spec/StructureSchema.ts"

const REPLACED = /\/engine\/site\/spec\/Validators\.ts$/
const PREFIX = "\0validator-"

const moduleOf = (name: SchemaName): string => `${PREFIX}${name}.cjs`

/** Loads only the validator that is asked for. */
const LOADER = `const modules = {
${SCHEMA_NAMES.map((name) => `  ${JSON.stringify(name)}: () => import(${JSON.stringify(moduleOf(name))})`).join(",\n")}
}
export const loadValidator = async (name) => (await modules[name]()).default`

/** Puts validators that are compiled now in the place of those that are compiled when they are needed. */
export const validatorModules: Plugin = {
  name: "compiled-validators",
  resolveId: (id) => (id.startsWith(PREFIX) ? id : null),
  load: (id) => {
    const name = SCHEMA_NAMES.find((one) => id === moduleOf(one))
    if (name !== undefined) return validatorCode(name)
    return REPLACED.test(id) ? LOADER : null
  }
}
