import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { writePackageCode } from "../../../scripts/PackageCode.ts"
import { BUILD } from "./BuiltProgram.ts"

// Nothing is removed first, so that another run of vitest in this tree keeps the files that its processes still load.
mkdirSync(BUILD, { recursive: true })
// Modules in node_modules belong to no package otherwise, and would be CommonJS.
writeFileSync(join(BUILD, "package.json"), `${JSON.stringify({ type: "module" })}\n`)
await writePackageCode(BUILD)
