import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as Schema from "effect/Schema"
import { readInert } from "../../engine/text/UntrustedJson.ts"
import { wrongUsage } from "./CliFailure.ts"

/** Reads and decodes a JSON file; the error names the file and the first problem. */
export const readJsonFile = Effect.fnUntraced(function* <A, I>(path: string, schema: Schema.Codec<A, I>, what: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(files.readFileString(path), () =>
    wrongUsage(`cannot read ${path}. Pass the path of ${what}.`)
  )
  return yield* Effect.mapError(readInert(text, schema), ({ message }) =>
    wrongUsage(`${path} is not ${what}: ${message}`)
  )
})
