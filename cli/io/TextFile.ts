import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { dirname } from "node:path"
import { plainText } from "../../engine/text/PlainText.ts"
import { wrongUsage } from "./CliFailure.ts"

/** Writes a file, into folders that are made where they are missing. */
export const writeTextFile = Effect.fnUntraced(function* (path: string, text: string) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.mapError(
    Effect.andThen(files.makeDirectory(dirname(path), { recursive: true }), files.writeFileString(path, text)),
    ({ reason }) => wrongUsage(`cannot write ${plainText(path, 200)} (${reason._tag}).`)
  )
})
