import { createGunzip } from "node:zlib"
import { Readable } from "node:stream"
import { ArchiveError } from "./Archive.ts"

export interface WarcRecord {
  /** By name in lower case; of repeated ones all, in order. */
  readonly headers: ReadonlyMap<string, ReadonlyArray<string>>
  /** The content, or its beginning. */
  readonly block: Uint8Array
  /** True where the content was longer than what is kept. */
  readonly cut: boolean
}

/** What a file may make us read. Sizes in bytes, after decompression. */
export interface WarcLimits {
  readonly totalBytes: number
  readonly records: number
  /** Of a record's content that is kept; the rest is passed over. */
  readonly blockBytes: number
}

const MAX_HEADER_BYTES = 64 * 1024

/**
 * The records of a WARC 1.0 or 1.1 file, gzipped or not, one at a time. The file is somebody else's: reading is linear in
 * what it inflates to, and bounded. Fails with an `ArchiveError` (thrown) at the first thing that is out of order.
 *
 * Our own, because warcio's parser trusts its input: its headers have no end, and it waits for ever for the rest of a
 * record that was truncated.
 */
export async function* warcRecords(
  file: AsyncIterable<Uint8Array>,
  limits: WarcLimits
): AsyncGenerator<WarcRecord, void, undefined> {
  const bytes = bounded(inflated(file), limits.totalBytes)
  const input = makeInput(bytes)
  try {
    for (let count = 0; await toNextRecord(input); count++) {
      if (count === limits.records)
        throw new ArchiveError({ reason: "too_large", message: `the archive has more than ${limits.records} records` })
      const headers = await readHeaders(input)
      const length = headers.get("content-length")?.[0] ?? ""
      if (!/^\d{1,15}$/.test(length)) throw malformed("a record does not say how long it is")
      const kept = Math.min(Number(length), limits.blockBytes)
      const block = await input.read(kept)
      await input.skip(Number(length) - kept)
      yield { headers, block, cut: kept < Number(length) }
    }
  } finally {
    await bytes.return()
  }
}

const malformed = (message: string): ArchiveError => new ArchiveError({ reason: "malformed", message })
const truncated = (): ArchiveError => malformed("the archive ends in the middle of a record")

async function* inflated(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = file[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done === true) return
  const all = (async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
  const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b
  yield* isGzip ? gunzipped(all) : all
}

async function* gunzipped(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const source = Readable.from(file, { objectMode: false })
  const gunzip = createGunzip()
  source.on("error", (error) => gunzip.destroy(error))
  try {
    yield* source.pipe(gunzip)
  } catch (error) {
    throw error instanceof Error && "code" in error && String(error.code).startsWith("Z_")
      ? malformed("the archive's compression is broken")
      : error
  } finally {
    source.destroy()
  }
}

async function* bounded(pieces: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array, void, undefined> {
  let total = 0
  for await (const piece of pieces) {
    total += piece.length
    if (total > most)
      throw new ArchiveError({
        reason: "too_large",
        message: `the archive holds more than ${Math.floor(most / 1024 / 1024)} MB`
      })
    yield piece
  }
}

/** Bytes taken from the front of what comes in. */
interface Input {
  /** The next line without its end, `null` at the end of input; fails beyond `most` bytes. */
  readonly line: (most: number) => Promise<string | null>
  /** Exactly this number of bytes. */
  readonly read: (count: number) => Promise<Uint8Array>
  readonly skip: (count: number) => Promise<void>
}

const makeInput = (source: AsyncIterable<Uint8Array>): Input => {
  const pieces = source[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)

  const fill = async (): Promise<boolean> => {
    while (rest.length === 0) {
      const next = await pieces.next()
      if (next.done === true) return false
      rest = next.value
    }
    return true
  }

  const take = (count: number): Uint8Array => {
    const taken = rest.subarray(0, count)
    rest = rest.subarray(taken.length)
    return taken
  }

  const line: Input["line"] = async (most) => {
    const parts: Array<Uint8Array> = []
    for (let length = 0; await fill();) {
      const end = rest.indexOf(0x0a)
      const part = take(end === -1 ? rest.length : end + 1)
      length += part.length
      if (length > most) throw malformed("the headers of a record are too long")
      parts.push(part)
      if (end !== -1) break
    }
    return parts.length === 0
      ? null
      : Buffer.concat(parts)
          .toString("utf8")
          .replace(/\r?\n$/, "")
  }

  const each = async (count: number, use: (piece: Uint8Array, offset: number) => void): Promise<void> => {
    for (let offset = 0; offset < count;) {
      if (!(await fill())) throw truncated()
      const piece = take(count - offset)
      use(piece, offset)
      offset += piece.length
    }
  }

  return {
    line,
    read: async (count) => {
      const whole = new Uint8Array(count)
      await each(count, (piece, offset) => whole.set(piece, offset))
      return whole
    },
    skip: (count) => each(count, () => undefined)
  }
}

const VERSION = /^WARC\/1\.[01]$/

/** Two empty lines end a record; some tools write more. */
const MAX_EMPTY_LINES = 16

/** Leads to the next record's first line and past it; false at the end of the file. */
const toNextRecord = async (input: Input): Promise<boolean> => {
  let line = await input.line(MAX_HEADER_BYTES)
  for (let count = 0; line === "" && count < MAX_EMPTY_LINES; count++) line = await input.line(MAX_HEADER_BYTES)
  if (line !== null && !VERSION.test(line)) throw malformed("it is not a WARC file, or a record is longer than it says")
  return line !== null
}

const readHeaders = async (input: Input): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const headers = new Map<string, Array<string>>()
  let left = MAX_HEADER_BYTES
  for (;;) {
    const line = await input.line(left)
    if (line === null) throw truncated()
    if (line === "") return headers
    left -= line.length
    const colon = line.indexOf(":")
    if (colon < 1) throw malformed("a record's header is not a name and a value")
    const name = line.slice(0, colon).trim().toLowerCase()
    const values = headers.get(name) ?? []
    values.push(line.slice(colon + 1).trim())
    headers.set(name, values)
  }
}
