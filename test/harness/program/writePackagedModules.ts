import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { validatorCode } from "../../../engine/apispec/validity/CompileValidator.ts"
import { SCHEMA_NAMES } from "../../../engine/apispec/validity/StructureSchema.ts"
import { checkedRubricCode } from "../../../scripts/PackagedRubricModule.ts"
import { PACKAGED, PACKAGED_MODULES } from "./PackagedModules.ts"

const write = (name: string, code: string): void => writeFileSync(join(PACKAGED, name), code)

mkdirSync(PACKAGED, { recursive: true })
write(PACKAGED_MODULES.rubric.file, await checkedRubricCode())
for (const name of SCHEMA_NAMES) write(`${name}.cjs`, await validatorCode(name))
write(
  PACKAGED_MODULES.validators.file,
  `export const loadValidator = async (name) => (await import(${JSON.stringify(`${PACKAGED}/`)} + name + ".cjs")).default\n`
)
