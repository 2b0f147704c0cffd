import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import { fileURLToPath } from "node:url"
import { rulesWithoutCode } from "../../engine/plugin/RuleWithoutCode.ts"
import type { BoundCriterion } from "../../engine/plugin/Registry.ts"
import type { PluginEntry } from "../../engine/rubric/rules/PluginRules.ts"
import type { RubricInvalid } from "../../engine/rubric/source/Problem.ts"
import { type LoadedRubric, loadRubric } from "../../engine/rubric/RubricFile.ts"
import { longestPluginSeconds } from "../../engine/external/ExternalLimits.ts"
import type { RubricReference } from "../../engine/process/AuditTask.ts"
import { plugins } from "../../plugins/index.ts"

/** A rubric before it is loaded, without its digest. */
export type RubricLocation = Omit<RubricReference, "digest">

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

const OWN_FILE = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../rubric.yaml" : "../rubric.yaml", import.meta.url)
)

/** The rubric of this package. */
export const OWN_RUBRIC: RubricLocation = { file: OWN_FILE, content: null, pluginSeconds: null }

/** Loads a rubric with the built-in plugins and, if allowed, those that it names by path or package. */
export const loadReferenced = Effect.fn("loadReferenced")(function* ({
  content,
  file,
  pluginSeconds
}: RubricLocation): Effect.fn.Return<
  LoadedRubric<BoundCriterion>,
  RubricInvalid | PlatformError | Config.ConfigError,
  FileSystem.FileSystem
> {
  if (content === null) return yield* loadRubric(yield* (yield* FileSystem.FileSystem).readFile(file), file, plugins)
  const bytes = Buffer.from(content, "base64")
  return yield* loadRubric(bytes, file, yield* pluginsFor(bytes, file, pluginSeconds !== null))
})

/** The built-in plugins, those behind `measure:`, and those that this rubric file names by path or package. */
export const pluginsFor = Effect.fn("pluginsFor")(function* (bytes: Uint8Array, file: string, allowPlugins: boolean) {
  const { externalPlugins } = yield* Effect.promise(() => import("../../engine/external/ExternalPlugins.ts"))
  const outside = yield* externalPlugins(bytes, file, allowPlugins)
  return new Map<string, PluginEntry<BoundCriterion>>([
    ...plugins,
    ...rulesWithoutCode.map((rule) => [rule.id, { ...rule, general: true }] as const),
    ...outside
  ])
})
