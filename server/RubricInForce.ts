import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { fileURLToPath } from "node:url"
import type { BoundCriterion } from "../engine/criterion/Registry.ts"
import { render } from "../engine/rubric/Problem.ts"
import type { PluginEntry } from "../engine/rubric/PluginRules.ts"
import { loadOwnRubric } from "../engine/rubric/OwnRubric.ts"
import { type LoadedRubric, loadRubric } from "../engine/rubric/RubricFile.ts"
import { plugins } from "../plugins/index.ts"
import { allowPlugins, rubricFile } from "./Settings.ts"
import { StartFailure } from "./StartFailure.ts"

const OWN = fileURLToPath(new URL("../rubric.yaml", import.meta.url))

/** The rubric that this process audits by. */
export class RubricInForce extends Context.Service<RubricInForce, LoadedRubric<BoundCriterion>>()("docgauge/server/RubricInForce") {
  /** From `DOCGAUGE_RUBRIC`, or the package's own. A wrong rubric ends the start with everything that is wrong with it. */
  static readonly layer: Layer.Layer<RubricInForce, StartFailure | Config.ConfigError, FileSystem.FileSystem> = Layer.effect(
    RubricInForce,
    Effect.gen(function*() {
      const given = yield* rubricFile
      const file = given ?? OWN
      return yield* Effect.catchTags(given === null ? loadOwnRubric(OWN, plugins) : loadGiven(given), {
        PlatformError: () => Effect.fail(new StartFailure({ message: `DOCGAUGE_RUBRIC: ${file} cannot be read` })),
        RubricInvalid: ({ problems }) =>
          Effect.fail(new StartFailure({ message: `DOCGAUGE_RUBRIC: ${file} is no sound rubric\n\n${problems.map(render).join("\n\n")}` }))
      })
    })
  )
}

const loadGiven = Effect.fnUntraced(function*(file: string) {
  const files = yield* FileSystem.FileSystem
  const bytes = yield* files.readFile(file)
  return yield* loadRubric(bytes, file, yield* withOutside(bytes, file))
})

/** Our plugins, and those from outside that the rubric names. */
const withOutside = Effect.fnUntraced(function*(bytes: Uint8Array, file: string) {
  const { outsidePlugins } = yield* Effect.promise(() => import("../engine/outside/OutsidePlugins.ts"))
  const outside = yield* outsidePlugins(bytes, file, yield* allowPlugins)
  return new Map<string, PluginEntry<BoundCriterion>>([...plugins, ...outside])
})
