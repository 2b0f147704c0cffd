import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Command, Flag } from "effect/cli"
import { counted } from "../../engine/criterion/Wording.ts"
import { moveToFolder, moveToObjects } from "../../engine/store/archives/ArchiveMove.ts"
import { archiveRule } from "../../engine/store/archives/ArchiveRule.ts"
import { leftText } from "../../engine/store/archives/FolderOwner.ts"
import { configuredDatabase, layerDatabase } from "../../engine/store/Database.ts"
import { objectLocation } from "../../engine/store/objects/ObjectSettings.ts"
import { layerS3 } from "../../engine/store/objects/S3ObjectStore.ts"
import { CliFailure, ExitCode, wrongUsage } from "../io/CliFailure.ts"
import { writeOut } from "../io/Stdout.ts"

/** Archives between two lines of progress. */
const PROGRESS = 100

const settings = Config.all({ database: configuredDatabase, location: objectLocation, rule: archiveRule })

const move = Command.make(
  "move",
  {
    to: Flag.Literals("to", ["objects", "folder"]).pipe(
      Flag.withMetavar("STORE"),
      Flag.withDescription(
        "Where the archives go: objects, the store of DOCGAUGE_OBJECT_STORE, or folder, that of DOCGAUGE_ARCHIVES. --to objects"
      )
    )
  },
  Effect.fn("store.move")(function* ({ to }) {
    const { database, location, rule } = yield* Effect.mapError(settings, ({ cause }) => wrongUsage(cause.message))
    if (location === null)
      return yield* wrongUsage(
        "DOCGAUGE_OBJECT_STORE is not set. Give the settings of the service, for example DOCGAUGE_OBJECT_STORE=s3://docgauge"
      )
    if (rule === null) return yield* wrongUsage("DOCGAUGE_ARCHIVES is off, so no folder is set")
    if (database._tag === "Memory") return yield* wrongUsage("DOCGAUGE_DATABASE_URL is memory:, so no run is stored")
    const observe = (moved: number) =>
      moved % PROGRESS === 0 ? writeOut(`${counted(moved, "archive")} moved\n`, "text") : Effect.void
    const all =
      to === "objects"
        ? Effect.map(moveToObjects(rule, observe), (moved) => ({ ...moved, reports: 0 }))
        : Effect.map(moveToFolder(rule, observe), (moved) => ({ ...moved, left: 0 }))
    const moved = yield* all.pipe(
      Effect.provide(Layer.merge(layerDatabase(database), layerS3(location))),
      Effect.mapError(({ _tag, message }) =>
        _tag === "FolderTooSmall"
          ? wrongUsage(message)
          : new CliFailure({
              code: ExitCode.notAudited,
              message: `Some archives were not moved: ${message}.\nRun the command again to continue.`
            })
      )
    )
    if (moved.reports > 0)
      yield* writeOut(`${counted(moved.reports, "old report")} moved back to the database\n`, "text")
    if (moved.left > 0) yield* writeOut(`${leftText(rule.folder, moved.left)}\n`)
    yield* writeOut(
      moved.archives === 0
        ? "There were no archives to move.\n"
        : `${counted(moved.archives, "archive")} moved, read again and compared.\n`,
      "text"
    )
  })
).pipe(
  Command.withDescription(
    "Move all archives between the folder and the object store, with the settings of the service, which should not run meanwhile"
  ),
  Command.withExamples([
    { command: "docgauge store move --to objects", description: "Move the archives of the folder to the object store" }
  ])
)

/** `docgauge store`: the archives of a service. */
export const store = Command.make("store").pipe(
  Command.withDescription("Where a service keeps the archives of its runs"),
  Command.withSubcommands([move])
)
