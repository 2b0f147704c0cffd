import { realpathSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "rolldown"
import { validatorCode } from "../engine/apispec/validity/CompileValidator.ts"
import { SCHEMA_NAMES, type SchemaName } from "../engine/apispec/validity/StructureSchema.ts"

/** Fails if the path does not exist: the bundle would silently compile the validators at run time. */
const REPLACED = realpathSync(join(import.meta.dirname, "..", "engine", "apispec", "validity", "Validators.ts"))
const PREFIX = "\0validator-"

const moduleOf = (name: SchemaName): string => `${PREFIX}${name}.cjs`

/** Imports only the requested validator. */
const LOADER = `const modules = {
${SCHEMA_NAMES.map((name) => `  ${JSON.stringify(name)}: () => import(${JSON.stringify(moduleOf(name))})`).join(",\n")}
}
export const loadValidator = async (name) => (await modules[name]()).default`

/** Replaces validators that are compiled at run time by precompiled ones. */
export const validatorModules: Plugin = {
  name: "compiled-validators",
  resolveId: (id) => (id.startsWith(PREFIX) ? id : null),
  load: (id) => {
    const name = SCHEMA_NAMES.find((one) => id === moduleOf(one))
    if (name !== undefined) return validatorCode(name)
    return id === REPLACED ? LOADER : null
  }
}
