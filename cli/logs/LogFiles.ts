import * as Effect from "effect/Effect"
import { createReadStream, fstatSync, readdirSync, realpathSync, statSync } from "node:fs"
import { open } from "node:fs/promises"
import { Socket } from "node:net"
import { join } from "node:path"
import { PassThrough, type Readable } from "node:stream"
import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from "node:zlib"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { isFolder } from "../io/Files.ts"

export interface LogFile {
  /** `-` for standard input. */
  readonly path: string
  /** Bytes as stored; 0 where that is not known. */
  readonly bytes: number
}

const STDIN = "-"

/** The files that arguments name, those in folders too, each once and the one first that was written to first: rotated logs in order of time. */
export const logFiles = Effect.fnUntraced(function* (
  named: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<LogFile>, CliFailure> {
  if (named.length === 0)
    return yield* wrongUsage(
      "no log given. Pass access logs, as in: docgauge logs access.log access.log.*.gz; or - for standard input."
    )
  const paths = yield* Effect.forEach(named, (path) => (isFolder(path) ? withinFolder(path) : Effect.succeed([path])))
  const found = yield* Effect.forEach(paths.flat(), fileAt)
  const once = new Map(found.map((file) => [file.real, file]))
  return [...once.values()].toSorted((one, other) => one.modified - other.modified)
})

const withinFolder = (folder: string): Effect.Effect<ReadonlyArray<string>, CliFailure> =>
  Effect.try({
    try: () =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
        .map(({ name }) => join(folder, name)),
    catch: (error) => unreadableLog(folder, error)
  }).pipe(
    Effect.filterOrFail(
      (files) => files.length > 0,
      () => wrongUsage(`${plainText(folder, 200)} has no files. Pass access logs or a folder of them.`)
    )
  )

interface FoundFile extends LogFile {
  readonly real: string
  readonly modified: number
}

const fileAt = (path: string): Effect.Effect<FoundFile, CliFailure> =>
  path === STDIN
    ? Effect.succeed({ path, real: path, bytes: 0, modified: Infinity })
    : Effect.try({
        try: () => {
          const { mtimeMs, size } = statSync(path)
          return { path, real: realpathSync(path), bytes: size, modified: mtimeMs }
        },
        catch: (error) => unreadableLog(path, error)
      })

export const shownPath = (path: string): string => (path === STDIN ? "standard input" : plainText(path, 200))

export const unreadableLog = (path: string, error: unknown): CliFailure => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
  const reason = REASONS[code] ?? code
  return wrongUsage(`cannot read ${shownPath(path)}: ${reason}. Pass the path of an access log.`)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EISDIR: "it is a folder"
}

const READ_BYTES = 64 * 1024

/**
 * The bytes of a log as it was written: gzip and zstd are known by their first bytes, whatever the file is called. `onRead` is told of each
 * stored piece. A piece is valid until the next one is asked for.
 */
export async function* logBytes({ path }: LogFile, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const pieces = path === STDIN ? inputBytes(onRead) : fileBytes(path, onRead)
  try {
    const first = await pieces.next()
    if (first.done === true) return
    const unpack = unpackerOf(first.value)
    if (unpack === null) {
      yield first.value
      yield* pieces
      return
    }
    yield* unpacked(first.value, pieces, unpack)
  } finally {
    await pieces.return(undefined)
  }
}

/** Reads into the same memory again and again: pieces of their own would wait for V8 to free them, a hundred megabytes on a busy machine. */
async function* fileBytes(path: string, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  const memory = Buffer.allocUnsafeSlow(READ_BYTES)
  try {
    for (;;) {
      const { bytesRead } = await file.read(memory, 0, READ_BYTES)
      if (bytesRead === 0) return
      onRead(bytesRead)
      yield memory.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function* inputBytes(onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const input = standardInput()
  try {
    for await (const piece of input) {
      if (!(piece instanceof Uint8Array)) continue
      onRead(piece.byteLength)
      yield piece
    }
  } finally {
    input.destroy()
  }
}

/** A command runs in a thread, whose `process.stdin` is empty. A pipe that has nothing yet is no error of a socket, as it would be of a file. */
const standardInput = (): Readable => {
  const found = fstatSync(0)
  return found.isFIFO() || found.isSocket()
    ? new Socket({ fd: 0, readable: true, writable: false })
    : createReadStream("", { fd: 0, autoClose: false, highWaterMark: READ_BYTES })
}

/** Makes what unpacks a log that begins with these bytes; `null`: it is not packed. */
const unpackerOf = ([one, two, three, four]: Uint8Array): (() => Unpacker) | null => {
  if (one === 0x1f && two === 0x8b) return () => createGunzip({ chunkSize: READ_BYTES })
  return one === 0x28 && two === 0xb5 && three === 0x2f && four === 0xfd
    ? () => createZstdDecompress({ chunkSize: READ_BYTES })
    : null
}

type Unpacker = Gunzip | ZstdDecompress

/** Unpacks pieces. Node's decompressor of zstd stops at the end of a frame, of which a log that was appended to has several: what is left of the piece begins a new one. */
async function* unpacked(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
  make: () => Unpacker
): AsyncGenerator<Uint8Array> {
  const out = new PassThrough({ highWaterMark: READ_BYTES })
  const begin = (): Unpacker => {
    const unpacker = make()
    unpacker.on("error", (error) => out.destroy(error))
    unpacker.pipe(out, { end: false })
    return unpacker
  }
  let unpacker = begin()

  const feed = async (piece: Uint8Array): Promise<void> => {
    let left = piece
    while (left.length > 0 && !out.destroyed) {
      const before = unpacker.bytesWritten
      await written(unpacker, left)
      const taken = unpacker.bytesWritten - before
      left = left.subarray(taken)
      if (left.length === 0) return
      await ended(unpacker)
      unpacker = begin()
    }
  }
  const feedAll = async (): Promise<void> => {
    try {
      await feed(first)
      for await (const piece of rest) await feed(piece)
      await ended(unpacker)
      out.end()
    } catch (error) {
      out.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const fed = feedAll()
  try {
    for await (const piece of out) if (piece instanceof Uint8Array) yield piece
    await fed
  } finally {
    out.destroy()
    unpacker.destroy()
  }
}

/** Waits until a piece is unpacked, as far as it belongs to the frame. */
const written = (unpacker: Unpacker, piece: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    // It is not called if the stream is destroyed while it waits for its reader.
    unpacker.once("close", resolve)
    unpacker.write(piece, () => {
      unpacker.off("close", resolve)
      resolve()
    })
  })

const ended = (unpacker: Unpacker): Promise<void> =>
  new Promise((resolve) => {
    if (unpacker.readableEnded || unpacker.destroyed) return resolve()
    unpacker.once("end", resolve).once("close", resolve)
    unpacker.end()
  })
