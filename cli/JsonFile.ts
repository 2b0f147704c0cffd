import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as Schema from "effect/Schema"
import { readInert } from "../engine/audit/InertText.ts"
import { wrongUsage } from "./CliFailure.ts"

/** Reads a JSON file as what it has to be; the error names the file and the first thing that is wrong with it. */
export const readJsonFile = Effect.fnUntraced(function*<A, I>(path: string, schema: Schema.Codec<A, I>, what: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(files.readFileString(path), () => wrongUsage(`${path} cannot be read. Give the path of ${what}.`))
  return yield* Effect.mapError(
    readInert(text, schema),
    ({ message }) => wrongUsage(`${path} is not ${what}: ${message}`)
  )
})
