import { writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { hostileArchives } from "./archives.ts"

/* Writes the hostile archives to the folder that is given: making them takes a processor for seconds, and memory. */

for (const [name, { bytes }] of Object.entries(hostileArchives))
  writeFileSync(join(process.argv[2] ?? "", name), bytes())
