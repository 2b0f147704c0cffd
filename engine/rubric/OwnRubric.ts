import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import { keptName, readKept } from "./KeptReading.ts"
import type { PluginEntry } from "./PluginRules.ts"
import type { RubricInvalid } from "./Problem.ts"
import { type LoadedRubric, loadKeptRubric, loadRubric } from "./RubricFile.ts"

/** Loads the rubric that comes with the package, from the reading that the package keeps of it where it has one. */
export const loadOwnRubric = Effect.fn("loadOwnRubric")(function*<Bound>(
  file: string,
  plugins: ReadonlyMap<string, PluginEntry<Bound>>
): Effect.fn.Return<LoadedRubric<Bound>, RubricInvalid | PlatformError, FileSystem.FileSystem> {
  const files = yield* FileSystem.FileSystem
  const [bytes, text] = yield* Effect.all([files.readFile(file), Effect.option(files.readFileString(keptName(file)))], { concurrency: 2 })
  const kept = Option.flatMap(text, readKept)
  return yield* Option.match(kept, {
    onNone: () => loadRubric(bytes, file, plugins),
    onSome: (reading) => loadKeptRubric(bytes, file, plugins, reading)
  })
})
