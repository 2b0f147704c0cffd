import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { fileURLToPath } from "node:url"
import type { BoundCriterion } from "../../engine/plugin/Registry.ts"
import {
  type LoadedRubric,
  OWN_RUBRIC,
  readUnbound,
  type RubricLocation,
  type RubricReference,
  type UnboundRubric
} from "../../engine/rubric/RubricFile.ts"
import { render } from "../../engine/rubric/source/Problem.ts"
import { isBelow } from "../../engine/rubric/source/VersionBump.ts"
import { loadReferenced, locateRubric } from "../../engine/external/RubricLoading.ts"
import { plugins } from "../../plugins/index.ts"
import { allowPlugins, rubricFile } from "./Settings.ts"

/** The rubric that this process audits by, and how its audit processes load it. */
interface RubricOfProcess extends LoadedRubric<BoundCriterion> {
  readonly reference: RubricReference
}

/** The service cannot start with its configuration. */
export class StartFailure extends Schema.TaggedError<StartFailure>()("StartFailure", {
  /** For the operator: what is wrong, and which variable to change. */
  message: Schema.String
}) {}

/** Why the service did not start, for the operator, in one line if possible. */
export const startFailureOf = (error: unknown): StartFailure => {
  if (error instanceof StartFailure) return error
  if (error instanceof Config.ConfigError) return new StartFailure({ message: error.cause.message })
  if (error instanceof ServeError) return new StartFailure({ message: listenProblem(error.cause) })
  return new StartFailure({ message: error instanceof Error ? error.message : String(error) })
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "PORT: already in use",
  EACCES: "PORT: this user may not listen on it",
  EADDRNOTAVAIL: "HOST: not an address of this machine",
  ENOTFOUND: "HOST: there is no such name",
  EAI_AGAIN: "HOST: there is no such name"
}

const listenProblem = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return LISTEN_PROBLEMS[code] ?? `HOST, PORT: cannot listen there${code === "" ? "" : ` (${code})`}`
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
  Effect.map(loadReferenced(location, plugins), (rubric): RubricOfProcess => ({
    ...rubric,
    reference: { ...location, digest: rubric.digest }
  }))

/** In the package, and in the repository. */
const OWN = ["../rubrics", "../../test/rubric/released"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url))
)

/** Every released version of the package's rubric, as it was frozen. */
export class ReleasedRubrics extends Context.Service<
  ReleasedRubrics,
  {
    /** Oldest first; read on first use. */
    readonly releases: Effect.Effect<ReadonlyArray<UnboundRubric>>
  }
>()("docgauge/server/ReleasedRubrics") {
  /** Reads the first folder that exists. A release that cannot be read is a defect. */
  static readonly layerOf = (
    folders: ReadonlyArray<string> = OWN
  ): Layer.Layer<ReleasedRubrics, never, FileSystem.FileSystem> =>
    Layer.effect(
      ReleasedRubrics,
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const read = Effect.gen(function* () {
          const [folder = ""] = yield* Effect.filter(folders, (path) => files.exists(path))
          const names = yield* files.readDirectory(folder)
          const releases = yield* Effect.forEach(
            names.filter((name) => name.endsWith(".yaml")),
            (name) => Effect.flatMap(files.readFile(`${folder}/${name}`), (bytes) => readUnbound(bytes, name))
          )
          return releases.toSorted((one, other) => (isBelow(one.rubric.version, other.rubric.version) ? -1 : 1))
        })
        return { releases: yield* Effect.cached(Effect.orDie(read)) }
      })
    )
}
