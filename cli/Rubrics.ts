import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { fileURLToPath } from "node:url"
import type { BoundCriterion } from "../engine/criterion/Registry.ts"
import { type Problem, render, type RubricInvalid } from "../engine/rubric/Problem.ts"
import type { PluginEntry } from "../engine/rubric/PluginRules.ts"
import { loadOwnRubric } from "../engine/rubric/OwnRubric.ts"
import { type LoadedRubric, loadRubric } from "../engine/rubric/RubricFile.ts"
import { readUnbound, type UnboundRubric } from "../engine/rubric/UnboundRubric.ts"
import { plugins } from "../plugins/index.ts"
import { type CliFailure, wrongUsage } from "./CliFailure.ts"

/** The rubric of this package. */
export const OWN_RUBRIC = fileURLToPath(new URL("../rubric.yaml", import.meta.url))

/** Reads a rubric; a wrong one ends the program with everything that is wrong with it. */
export const readRubric = Effect.fn("readRubric")(function*(
  path: Option.Option<string>,
  allowPlugins = false
): Effect.fn.Return<LoadedRubric<BoundCriterion>, CliFailure, FileSystem.FileSystem> {
  const loading = Option.isSome(path) ? loadGiven(path.value, allowPlugins) : Effect.catchTag(loadOwnRubric(OWN_RUBRIC, plugins), "PlatformError", () => unreadable(OWN_RUBRIC))
  return yield* Effect.catchTag(loading, "RubricInvalid", ({ problems }) => Effect.fail(rejected(problems, "nothing was audited")))
})

const loadGiven = Effect.fnUntraced(function*(file: string, allowPlugins: boolean) {
  const bytes = yield* rubricBytes(file)
  return yield* loadRubric(bytes, file, yield* pluginsFor(bytes, file, allowPlugins))
})

/** The plugins that a rubric file is held against: all of ours, and those from outside that it names. */
export const pluginsFor = Effect.fn("pluginsFor")(function*(bytes: Uint8Array, file: string, allow: boolean) {
  const { outsidePlugins } = yield* Effect.promise(() => import("../engine/outside/OutsidePlugins.ts"))
  const outside = yield* Effect.mapError(outsidePlugins(bytes, file, allow), ({ message }) => wrongUsage(message))
  return new Map<string, PluginEntry<BoundCriterion>>([...plugins, ...outside])
})

/** Reads a rubric of whatever time, without the plugins that it was written for. */
export const readRubricAlone = Effect.fn("readRubricAlone")(function*(
  file: string
): Effect.fn.Return<UnboundRubric, CliFailure, FileSystem.FileSystem> {
  return yield* Effect.mapError(readUnbound(yield* rubricBytes(file), file), ({ file, problems }: RubricInvalid) => rejected(problems, `${file} is no rubric`))
})

/** A rubric file's bytes. */
export const rubricBytes = Effect.fn("rubricBytes")(function*(file: string): Effect.fn.Return<Uint8Array, CliFailure, FileSystem.FileSystem> {
  const files = yield* FileSystem.FileSystem
  return yield* Effect.catch(files.readFile(file), () => unreadable(file))
})

const unreadable = (file: string) => Effect.fail(wrongUsage(`${file} cannot be read. Give the path of a rubric file.`))

/** The end of the program, with everything that is wrong with a rubric. */
export const rejected = (problems: ReadonlyArray<Problem>, consequence: string): CliFailure => {
  const many = problems.length === 1 ? "the rubric has a problem" : `the rubric has ${problems.length} problems`
  return wrongUsage(`${many}; ${consequence}.\n\n${problems.map(render).join("\n\n")}`)
}
