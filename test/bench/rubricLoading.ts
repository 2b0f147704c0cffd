import { readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"

// A process of its own: prints how long the first loading of the rubric takes, in milliseconds, modules not counted.
const file = join(import.meta.dirname, "../../rubric.yaml")
const bytes = await readFile(file)
const before = performance.now()
await Effect.runPromise(loadRubric(bytes, file, plugins))
console.log(performance.now() - before)
