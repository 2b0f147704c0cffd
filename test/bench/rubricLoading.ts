import { readFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { readKept } from "../../engine/rubric/KeptReading.ts"
import { loadKeptRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"

// A process of its own: prints how long the first loading of the built package's rubric takes, in milliseconds, modules
// not counted.
const file = join(import.meta.dirname, "../../dist/rubric.yaml")
const before = performance.now()
const [bytes, text] = await Promise.all([readFile(file), readFile(join(import.meta.dirname, "../../dist/rubric.kept.json"), "utf8")])
await Effect.runPromise(loadKeptRubric(bytes, file, plugins, Option.getOrThrow(readKept(text))))
console.log(performance.now() - before)
