import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as Schema from "effect/Schema"
import { createReadStream, statSync } from "node:fs"
import { dirname } from "node:path"
import { plainText } from "../../engine/text/PlainText.ts"
import { readInert } from "../../engine/text/UntrustedJson.ts"
import { wrongUsage } from "./CliFailure.ts"
import { grouped } from "../../engine/plugin/Wording.ts"

/** Writes a file, into folders that are made where they are missing. */
export const writeTextFile = Effect.fnUntraced(function* (path: string, text: string) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.mapError(
    Effect.andThen(files.makeDirectory(dirname(path), { recursive: true }), files.writeFileString(path, text)),
    ({ reason }) => wrongUsage(`cannot write ${plainText(path, 200)} (${reason._tag}).`)
  )
})

/**
 * Streams the lines of a file one at a time; `node:readline` would buffer a thousand of them. The last line need not end in a
 * line break.
 */
export async function* textLines(file: string): AsyncGenerator<string> {
  let rest: ReadonlyArray<Uint8Array> = []
  for await (const piece of createReadStream(file)) {
    if (!(piece instanceof Uint8Array)) continue
    let from = 0
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, from)) {
      yield textOf([...rest, piece.subarray(from, end)])
      rest = []
      from = end + 1
    }
    if (from < piece.length) rest = [...rest, piece.subarray(from)]
  }
  if (rest.length > 0) yield textOf(rest)
}

const LINE_FEED = 0x0a

const decoder = new TextDecoder()

const textOf = (pieces: ReadonlyArray<Uint8Array>): string =>
  decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))

/** What a path leads to; `null` for neither, such as a text that is no path at all. */
const kindOf = (path: string): "file" | "folder" | null => {
  try {
    const found = statSync(path)
    return found.isDirectory() ? "folder" : found.isFile() ? "file" : null
  } catch {
    return null
  }
}

export const isFile = (path: string): boolean => kindOf(path) === "file"

export const isFolder = (path: string): boolean => kindOf(path) === "folder"

/** Reads at most `most` bytes of a text file from elsewhere, and only UTF-8: otherwise two different files would be one text. */
export const readForeignText = Effect.fnUntraced(function* (path: string, most: number, what: string) {
  const bytes = yield* Effect.tryPromise({
    try: () => beginningOf(path, most + 1),
    catch: () => wrongUsage(`cannot read ${plainText(path, 200)}. Pass the path of ${what}.`)
  })
  if (bytes.length > most)
    return yield* wrongUsage(`${plainText(path, 200)} is larger than ${grouped(most)} bytes, so it is not ${what}.`)
  return yield* Effect.try({
    try: () => strictDecoder.decode(bytes),
    catch: () => wrongUsage(`${plainText(path, 200)} is not ${what}: it is not UTF-8.`)
  })
})

const beginningOf = async (path: string, bytes: number): Promise<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  for await (const piece of createReadStream(path, { end: bytes - 1 }))
    if (piece instanceof Uint8Array) pieces.push(piece)
  return Buffer.concat(pieces)
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true })

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
