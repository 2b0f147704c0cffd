import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type { BoundCriterion } from "../../engine/criterion/Registry.ts"
import { render } from "../../engine/rubric/source/Problem.ts"
import type { LoadedRubric } from "../../engine/rubric/RubricFile.ts"
import type { RubricReference } from "../../engine/process/AuditTask.ts"
import { loadReferenced, locateRubric, OWN_RUBRIC, type RubricLocation } from "./RubricLoading.ts"
import { allowPlugins, rubricFile } from "./Settings.ts"
import { StartFailure } from "./StartFailure.ts"

/** The rubric that this process audits by, and how its audit processes load it. */
export interface RubricOfProcess extends LoadedRubric<BoundCriterion> {
  readonly reference: RubricReference
}

/** The rubric that this process audits by. */
export class RubricInForce extends Context.Service<RubricInForce, RubricOfProcess>()("docgauge/server/RubricInForce") {
  /** From `DOCGAUGE_RUBRIC`, or the package's own. An invalid rubric fails the start with all of its errors. */
  static readonly layer: Layer.Layer<RubricInForce, StartFailure | Config.ConfigError, FileSystem.FileSystem> =
    Layer.effect(
      RubricInForce,
      Effect.gen(function* () {
        const given = yield* rubricFile
        const file = given ?? OWN_RUBRIC.file
        const location = given === null ? Effect.succeed(OWN_RUBRIC) : locateRubric(given, yield* allowPlugins)
        return yield* Effect.catchTags(Effect.flatMap(location, load), {
          PlatformError: () => Effect.fail(new StartFailure({ message: `DOCGAUGE_RUBRIC: ${file} cannot be read` })),
          RubricInvalid: ({ problems }) =>
            Effect.fail(
              new StartFailure({
                message: `DOCGAUGE_RUBRIC: ${file} is not a valid rubric\n\n${problems.map(render).join("\n\n")}`
              })
            )
        })
      })
    )
}

const load = (location: RubricLocation) =>
  Effect.map(loadReferenced(location), (rubric): RubricOfProcess => ({
    ...rubric,
    reference: { ...location, digest: rubric.digest }
  }))
