import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import { fileURLToPath } from "node:url"
import type { BoundCriterion } from "../engine/criterion/Registry.ts"
import { loadOwnRubric } from "../engine/rubric/OwnRubric.ts"
import type { PluginEntry } from "../engine/rubric/PluginRules.ts"
import type { RubricInvalid } from "../engine/rubric/Problem.ts"
import { type LoadedRubric, loadRubric } from "../engine/rubric/RubricFile.ts"
import type { RubricReference } from "../engine/worker/AuditTask.ts"
import { plugins } from "../plugins/index.ts"

/** Where a rubric is, before it was loaded: its digest is not known yet. */
export type RubricLocation = Omit<RubricReference, "digest">

/** Where the rubric of that path is, read once. */
export const locateRubric = Effect.fnUntraced(function*(file: string, allowPlugins: boolean): Effect.fn.Return<RubricLocation, PlatformError, FileSystem.FileSystem> {
  const files = yield* FileSystem.FileSystem
  return { file, content: Buffer.from(yield* files.readFile(file)).toString("base64"), allowPlugins }
})

/** The rubric of this package. */
export const OWN_RUBRIC: RubricLocation = { file: fileURLToPath(new URL("../rubric.yaml", import.meta.url)), content: null, allowPlugins: false }

/** Loads a rubric and binds it to our plugins, and to those from outside that it names where these are allowed. */
export const loadReferenced = (
  { allowPlugins, content, file }: RubricLocation
): Effect.Effect<LoadedRubric<BoundCriterion>, RubricInvalid | PlatformError | Config.ConfigError, FileSystem.FileSystem> =>
  content === null ? loadOwnRubric(file, plugins) : loadGiven(Buffer.from(content, "base64"), file, allowPlugins)

const loadGiven = Effect.fnUntraced(function*(bytes: Uint8Array, file: string, allowPlugins: boolean) {
  const { outsidePlugins } = yield* Effect.promise(() => import("../engine/outside/OutsidePlugins.ts"))
  const outside = yield* outsidePlugins(bytes, file, allowPlugins)
  return yield* loadRubric(bytes, file, new Map<string, PluginEntry<BoundCriterion>>([...plugins, ...outside]))
})
