import { readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"

// Prints the milliseconds that the first loading of the rubric takes in a new process, without the import of the modules.
const file = join(import.meta.dirname, "../../rubric.yaml")
const before = performance.now()
await Effect.runPromise(loadRubric(await readFile(file), file, plugins))
console.log(performance.now() - before)
