import type { Transform } from "node:stream"
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflateRaw,
  createZstdDecompress,
  type Zlib
} from "node:zlib"
import { makeByteBuffer } from "../LargeBytes.ts"
import { HopFailure } from "./HopFailure.ts"

/** The value of `Accept-Encoding`: what `readBody` decodes. */
export const ACCEPTED_CODINGS = "gzip, deflate, br, zstd"

/** What there is of a body once it was read to its end or to the limit. */
interface ReadBody {
  /** Decompressed, at most as long as the limit. */
  readonly body: Uint8Array
  /** True where there was more, compressed or not. */
  readonly cut: boolean
  /**
   * Bytes as sent. Of a body that was cut, those looked at: counted in whole blocks, so that the same body gives the same
   * number however it arrived. Of one in which `endIn` found an end, those of `body`, for the same reason.
   */
  readonly wireBytes: number
}

/** Wire bytes are decoded block by block; it bounds what is read beyond what a cut body needed. */
const BLOCK_BYTES = 16 * 1024

/** More than two content codings are treated as an attack. */
const MAX_CODINGS = 2

/** RFC 9659: what a decoder must offer, and no more than 8 MB of memory. */
const ZSTD_WINDOW_LOG = 23

/**
 * Reads a body, undoing `Content-Encoding`, and stops at `limit` bytes as sent or decompressed, whichever comes first. Never
 * holds much more than that, whatever the body inflates to. Rejects with a `malformed` `HopFailure` where a coding does not
 * decode; with whatever `wire` rejects with.
 *
 * `beforeGoingOn` is awaited after each chunk, with the length so far, so that the caller can delay large bodies. `endIn` is for
 * bodies that may stay open: it is given each piece as soon as it came, decompressed, and tells where in it the body ends for us,
 * or `null`.
 */
export const readResponseBody = async (
  wire: AsyncIterable<Uint8Array>,
  contentEncoding: string | null,
  limit: number,
  beforeGoingOn: (length: number) => Promise<void> | undefined = () => undefined,
  endIn?: (piece: Uint8Array) => number | null
): Promise<ReadBody> => {
  const meter = { bytes: 0, cut: false }
  const kept = makeByteBuffer(limit)
  let cut = false
  let end: number | null = null
  for await (const piece of decoded(
    blocks(wire, limit, meter, endIn !== undefined),
    codingsOf(contentEncoding),
    meter
  )) {
    end = endIn?.(piece) ?? null
    const chunk = end === null ? piece : piece.subarray(0, end)
    const room = limit - kept.length()
    cut = chunk.length > room
    kept.add(cut ? chunk.subarray(0, room) : chunk)
    if (cut || end !== null) break
    await beforeGoingOn(kept.length())
  }
  const left = end !== null && !cut
  return { body: kept.whole(), cut: cut || (meter.cut && !left), wireBytes: left ? kept.length() : meter.bytes }
}

/** What of the wire went into the decoders so far, and whether the limit cut it off. */
interface Meter {
  bytes: number
  cut: boolean
}

/** What a decoder must have at once to start: a gzip header without optional fields. */
const START_BYTES = 10

/** The first `limit` bytes in pieces of `BLOCK_BYTES`, however they arrive; `isLive`: as they arrive. */
async function* blocks(
  wire: AsyncIterable<Uint8Array>,
  limit: number,
  meter: Meter,
  isLive: boolean
): AsyncGenerator<Uint8Array, void, undefined> {
  let pending: Array<Uint8Array> = []
  let pendingBytes = 0
  const block = (): Uint8Array => {
    const whole = joined(pending, pendingBytes)
    meter.bytes += whole.length
    pending = []
    pendingBytes = 0
    return whole
  }
  for await (const chunk of wire) {
    for (let rest = chunk; rest.length > 0;) {
      const room = Math.min(BLOCK_BYTES, limit - meter.bytes) - pendingBytes
      if (room === 0 && pendingBytes === 0) {
        meter.cut = true
        return
      }
      const piece = rest.subarray(0, room)
      pending.push(piece)
      pendingBytes += piece.length
      rest = rest.subarray(piece.length)
      if (piece.length === room) yield block()
    }
    if (isLive && pendingBytes >= (meter.bytes === 0 ? START_BYTES : 1)) yield block()
  }
  if (pendingBytes > 0) yield block()
}

type Coding = "gzip" | "deflate" | "br" | "zstd"

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "br"],
  ["zstd", "zstd"]
])

/** In the order in which they are undone. Words that are no coding (`identity`, `utf-8`) are passed over, as browsers do. */
const codingsOf = (contentEncoding: string | null): ReadonlyArray<Coding> => {
  const codings = (contentEncoding ?? "").split(",").flatMap((name) => CODINGS.get(name.trim().toLowerCase()) ?? [])
  if (codings.length > MAX_CODINGS)
    throw new HopFailure("malformed", `the body is compressed ${codings.length} times over`)
  return codings.reverse()
}

const decoded = (
  source: AsyncIterable<Uint8Array>,
  codings: ReadonlyArray<Coding>,
  meter: Meter
): AsyncIterable<Uint8Array> => codings.reduce((inner, coding) => undone(inner, coding, meter), source)

/** Undoes one coding. Takes a block only once all that came of the one before was handed on. */
async function* undone(
  source: AsyncIterable<Uint8Array>,
  coding: Coding,
  meter: Meter
): AsyncGenerator<Uint8Array, void, undefined> {
  let decoder: Decoder | null = null
  let further: Decoder | null = null
  let trailer = coding === "gzip" ? GZIP_TRAILER_BYTES : Infinity
  try {
    for await (const block of source) {
      const input = decoder === null ? block.subarray(headerLength(coding, block)) : block
      decoder ??= startDecoder(decoderFor(coding))
      yield* decoder.take(input)
      const after = input.subarray(Math.max(0, input.length - decoder.unused()))
      const members = after.subarray(trailer)
      trailer -= after.length - members.length
      if (members.length === 0) continue
      further ??= startDecoder(createGunzip())
      // Browsers show what came before a later member that is cut or none at all.
      yield* untilFault(further, members)
    }
    // Of a body that was cut short by us the end is missing, and that is no fault of the body's.
    if (decoder !== null && !meter.cut) yield* decoder.end()
  } catch (error) {
    if (decoder?.failed() === true) throw new HopFailure("malformed", `the body does not decode as ${coding}`)
    throw error
  } finally {
    decoder?.stream.destroy()
    further?.stream.destroy()
  }
}
/** A CRC and a length, which a body may lack as far as browsers are concerned. */
const GZIP_TRAILER_BYTES = 8

type DecoderStream = Transform & Zlib

/** Gzip and zlib frames are read here, so that their data may end before the frame does. */
const decoderFor = (coding: Coding): DecoderStream => {
  if (coding === "br") return createBrotliDecompress()
  if (coding === "zstd") return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })
  return createInflateRaw()
}

/** Bytes before the compressed data. RFC 9110 §8.4.1.2: "deflate" is the zlib format, but some servers send it bare. */
const headerLength = (coding: Coding, start: Uint8Array): number => {
  if (coding === "gzip") return gzipHeaderLength(start)
  return coding === "deflate" && isZlib(start) ? 2 : 0
}

const isZlib = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0

/** RFC 1952, section 2.3: ten bytes, then the optional fields that the flags announce. */
const gzipHeaderLength = (start: Uint8Array): number => {
  const [id1, id2, method, flags = 0] = start
  if (id1 !== 0x1f || id2 !== 0x8b || method !== 8)
    throw new HopFailure("malformed", "the body does not decode as gzip")
  const afterExtra = flags & 4 ? 12 + (start[10] ?? 0) + (start[11] ?? 0) * 256 : 10
  const afterText = (from: number, flag: number): number =>
    flags & flag ? start.indexOf(0, from) + 1 || Infinity : from
  return afterText(afterText(afterExtra, 8), 16) + (flags & 2 ? 2 : 0)
}

interface Decoder {
  readonly stream: DecoderStream
  readonly failed: () => boolean
  /** Hands on what comes of an input until it is used up or the output has ended. */
  readonly take: (input: Uint8Array) => AsyncGenerator<Uint8Array, void, undefined>
  /** Hands on what comes of the end of the input. */
  readonly end: () => AsyncGenerator<Uint8Array, void, undefined>
  /** Bytes that were given and not used, because the output had ended before. */
  readonly unused: () => number
}

const startDecoder = (stream: DecoderStream): Decoder => {
  let failure: Error | null = null
  let ended = false
  let given = 0
  let wake = (): void => undefined
  stream.on("readable", () => wake())
  stream.on("end", () => {
    ended = true
    wake()
  })
  stream.on("error", (error) => {
    failure = error
    wake()
  })

  async function* outputOf(
    write: (done: (error?: Error | null) => void) => void
  ): AsyncGenerator<Uint8Array, void, undefined> {
    if (ended) return
    let done = false
    write((error) => {
      failure ??= error ?? null
      done = true
      wake()
    })
    for (;;) {
      if (failure !== null) throw failure
      const chunk: unknown = stream.read()
      if (chunk instanceof Uint8Array) yield chunk
      else if (done || ended) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }

  return {
    stream,
    failed: () => failure !== null,
    take: (input) => {
      given += input.length
      return outputOf((done) => stream.write(input, done))
    },
    end: () => outputOf(() => stream.end()),
    unused: () => given - stream.bytesWritten
  }
}

/** What is decoded before the first fault. */
async function* untilFault(decoder: Decoder, input: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (decoder.failed()) return
  try {
    yield* decoder.take(input)
  } catch (error) {
    if (!decoder.failed()) throw error
  }
}

const joined = (pieces: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1) return only
  const whole = new Uint8Array(length)
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}
