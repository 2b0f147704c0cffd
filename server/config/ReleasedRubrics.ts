import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { fileURLToPath } from "node:url"
import { readUnbound, type UnboundRubric } from "../../engine/rubric/UnboundRubric.ts"
import { isBelow } from "../../engine/rubric/source/VersionBump.ts"

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
