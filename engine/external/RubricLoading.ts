import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import type { BoundCriterion, Registry } from "../plugin/Registry.ts"
import { rulesWithoutCode } from "../plugin/RuleWithoutCode.ts"
import type { PluginEntry } from "../rubric/rules/PluginRules.ts"
import { type LoadedRubric, loadRubric, type RubricLocation } from "../rubric/RubricFile.ts"
import type { RubricInvalid } from "../rubric/source/Problem.ts"
import { longestPluginSeconds } from "./ExternalLimits.ts"

/** The rubric at that path, read once. */
export const locateRubric = Effect.fnUntraced(function* (
  file: string,
  allowPlugins: boolean
): Effect.fn.Return<RubricLocation, PlatformError | Config.ConfigError, FileSystem.FileSystem> {
  const files = yield* FileSystem.FileSystem
  return {
    file,
    content: Buffer.from(yield* files.readFile(file)).toString("base64"),
    pluginSeconds: allowPlugins ? yield* longestPluginSeconds : null
  }
})

/** Loads a rubric with the built-in plugins and, if allowed, those that it names by path or package. */
export const loadReferenced = Effect.fn("loadReferenced")(function* (
  { content, file, pluginSeconds }: RubricLocation,
  builtIn: Registry
): Effect.fn.Return<
  LoadedRubric<BoundCriterion>,
  RubricInvalid | PlatformError | Config.ConfigError,
  FileSystem.FileSystem
> {
  if (content === null) return yield* loadRubric(yield* (yield* FileSystem.FileSystem).readFile(file), file, builtIn)
  const bytes = Buffer.from(content, "base64")
  return yield* loadRubric(bytes, file, yield* pluginsFor(bytes, file, pluginSeconds !== null, builtIn))
})

/** The built-in plugins, those behind `measure:`, and those that this rubric file names by path or package. */
export const pluginsFor = Effect.fn("pluginsFor")(function* (
  bytes: Uint8Array,
  file: string,
  allowPlugins: boolean,
  builtIn: Registry
) {
  const { externalPlugins } = yield* Effect.promise(() => import("./ExternalPlugins.ts"))
  const outside = yield* externalPlugins(bytes, file, allowPlugins)
  return new Map<string, PluginEntry<BoundCriterion>>([
    ...builtIn,
    ...rulesWithoutCode.map((rule) => [rule.id, { ...rule, general: true }] as const),
    ...outside
  ])
})
