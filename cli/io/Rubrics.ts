import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { BoundCriterion } from "../../engine/plugin/Registry.ts"
import { isBaseName } from "../../engine/rubric/extends/BaseRubric.ts"
import { type Problem, render, type RubricInvalid } from "../../engine/rubric/source/Problem.ts"
import { type LoadedRubric, OWN_RUBRIC, readUnbound, type UnboundRubric } from "../../engine/rubric/RubricFile.ts"
import { loadReferenced, locateRubric, pluginsFor } from "../../engine/external/RubricLoading.ts"
import { plugins } from "../../plugins/index.ts"
import { type CliFailure, wrongUsage } from "./CliFailure.ts"

/** Loads a rubric, the built-in one unless `path` is given; the error lists every problem. */
export const readRubric = Effect.fn("readRubric")(function* (
  path: Option.Option<string>,
  allowPlugins = false
): Effect.fn.Return<LoadedRubric<BoundCriterion>, CliFailure, FileSystem.FileSystem> {
  const location = Option.isSome(path) ? locateRubric(path.value, allowPlugins) : Effect.succeed(OWN_RUBRIC)
  return yield* Effect.flatMap(location, (found) => loadReferenced(found, plugins)).pipe(
    Effect.catchTags({
      RubricInvalid: ({ problems }) => Effect.fail(rejected(problems, "nothing was audited")),
      PlatformError: () => unreadable(Option.getOrElse(path, () => OWN_RUBRIC.file)),
      ConfigError: ({ message }) => Effect.fail(wrongUsage(message))
    })
  )
})

/** The built-in plugins, and those that this rubric file names by path or package. */
export const pluginsOf = (bytes: Uint8Array, file: string, allow: boolean) =>
  Effect.mapError(pluginsFor(bytes, file, allow, plugins), ({ message }) => wrongUsage(message))

/** Reads a rubric of any version, without its plugins: a file, or the package's own by name, such as docs-ai-readiness@2. */
export const readRubricAlone = Effect.fn("readRubricAlone")(function* (
  file: string
): Effect.fn.Return<UnboundRubric, CliFailure, FileSystem.FileSystem> {
  const bytes = isBaseName(file) ? yield* ownBytes(file) : yield* rubricBytes(file)
  return yield* Effect.mapError(readUnbound(bytes, file), ({ file, problems }: RubricInvalid) =>
    rejected(problems, `${file} is not a rubric`)
  )
})

/** The bytes of the package's own rubric, if it has this name and version. */
const ownBytes = Effect.fnUntraced(function* (name: string) {
  yield* Effect.mapError(readUnbound(Buffer.from(`extends: ${name}\n`), name), ({ problems }) =>
    wrongUsage(`${problems.map(({ hint, message }) => (hint === null ? message : `${message}; ${hint}`)).join(". ")}.`)
  )
  return yield* rubricBytes(OWN_RUBRIC.file)
})

export const rubricBytes = Effect.fn("rubricBytes")(function* (
  file: string
): Effect.fn.Return<Uint8Array, CliFailure, FileSystem.FileSystem> {
  const files = yield* FileSystem.FileSystem
  return yield* Effect.catch(files.readFile(file), () => unreadable(file))
})

const unreadable = (file: string) => Effect.fail(wrongUsage(`cannot read ${file}. Pass the path of a rubric file.`))

/** Every problem of a rubric. */
export const rejected = (problems: ReadonlyArray<Problem>, consequence: string): CliFailure => {
  const count = problems.length === 1 ? "the rubric has 1 problem" : `the rubric has ${problems.length} problems`
  return wrongUsage(`${count}; ${consequence}.\n\n${problems.map(render).join("\n\n")}`)
}
