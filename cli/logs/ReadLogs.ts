import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { type LineCounts, makeLogReader, newLineCounts } from "../../engine/logs/read/LogReader.ts"
import type { Tally } from "../../engine/logs/summary/Tally.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { type LogFile, logBytes, shownPath, unreadableLog } from "./LogFiles.ts"

/** How far reading is. */
export interface LogProgress {
  readonly onBytes: (stored: number) => void
  readonly onLines: (lines: number) => void
}

/** Lines without a single request before a file is taken for something else than a log. */
const TRIED_LINES = 10_000

/** Bytes of the longest line; a longer one is counted as unreadable. */
const LONGEST_LINE = 1024 * 1024

const LINE_FEED = 0x0a

/** Bytes that are decoded at once. */
const DECODED_AT_ONCE = 8 * 1024

/** Reads logs one after the other into a tally. */
export const readLogs = Effect.fn("readLogs")(function* (
  files: ReadonlyArray<LogFile>,
  tally: Tally,
  progress: LogProgress,
  quiet: boolean
): Effect.fn.Return<LineCounts, CliFailure> {
  const counts = newLineCounts()
  for (const file of files) {
    const cut = yield* Effect.tryPromise({
      try: (signal) => readLog(file, counts, tally, progress, signal),
      catch: (error) => unreadableLog(file.path, error)
    })
    if (cut !== null && !quiet)
      yield* Console.error(
        `docgauge: ${shownPath(file.path)} cannot be unpacked to its end (${cut}); what comes before was read.`
      )
  }
  const requests = [...counts.formats.values()].reduce((one, other) => one + other, 0)
  return requests > 0 ? counts : yield* wrongUsage(nothingRead(files, counts))
})

const nothingRead = (files: ReadonlyArray<LogFile>, { example, lines }: LineCounts): string => {
  const [file] = files
  const named = files.length === 1 && file !== undefined ? shownPath(file.path) : "the logs"
  if (lines === 0) return `${named} ${files.length === 1 ? "has" : "have"} no lines. Pass an access log.`
  // What is not UTF-8 decodes to this character, which no log has in its first unreadable line but by that.
  if (example?.includes("\uFFFD") === true)
    return `${named} ${files.length === 1 ? "is" : "are"} not text in UTF-8. Pass an access log.`
  const line = example === null ? "" : ` The first line: ${example}`
  return `no line of ${named} is a request in a format that we can read: common, combined, W3C, CloudFront, or JSON lines of Cloudflare, Fastly, Caddy, nginx, Vercel or Netlify.${line}`
}

/** Reads one log. Returns why it is cut short; `null`: it is not. */
const readLog = async (
  file: LogFile,
  counts: LineCounts,
  tally: Tally,
  progress: LogProgress,
  signal: AbortSignal
): Promise<string | null> => {
  const readLine = makeLogReader(counts, tally.add)
  const linesBefore = counts.lines
  const requestsBefore = tally.requests + tally.otherHosts
  const lines = lineSplitter(readLine, () => {
    counts.lines += 1
    counts.unreadable += 1
  })
  try {
    for await (const piece of logBytes(file, progress.onBytes)) {
      signal.throwIfAborted()
      lines.push(piece)
      progress.onLines(counts.lines)
      const isLog = tally.requests + tally.otherHosts > requestsBefore
      if (!isLog && counts.lines - linesBefore > TRIED_LINES) break
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : ""
    if (!/^Z_|^ZSTD_|^ERR_STREAM_PREMATURE_CLOSE$/.test(code)) throw error
    lines.end()
    return code
  }
  lines.end()
  return null
}

interface LineSplitter {
  readonly push: (piece: Uint8Array) => void
  /** Passes on a last line without a line break. */
  readonly end: () => void
}

/**
 * Splits bytes into lines, which it decodes some at a time: one by one, that would take most of the time, and a large text may live long enough
 * to leave V8's young generation. What it keeps of a piece is a copy. Empty lines may be left out.
 */
export const lineSplitter = (onLine: (line: string) => void, onOverlong: () => void): LineSplitter => {
  let rest: Array<Uint8Array> = []
  let length = 0
  let isSkipping = false

  const passAll = (bytes: Uint8Array): void => {
    let from = 0
    while (bytes.length - from > DECODED_AT_ONCE) {
      const end = bytes.lastIndexOf(LINE_FEED, from + DECODED_AT_ONCE)
      const next = (end < from ? bytes.indexOf(LINE_FEED, from + DECODED_AT_ONCE) : end) + 1
      if (next === 0) break
      pass(bytes.subarray(from, next))
      from = next
    }
    pass(bytes.subarray(from))
  }

  const pass = (bytes: Uint8Array): void => {
    const text = textOf(bytes)
    let from = 0
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      onLine(text.slice(from, end))
      from = end + 1
    }
    if (from < text.length) onLine(text.slice(from))
  }

  const keep = (bytes: Uint8Array): void => {
    if (isSkipping || bytes.length === 0) return
    rest.push(Buffer.from(bytes))
    length += bytes.length
    if (length <= LONGEST_LINE) return
    isSkipping = true
    rest = []
    onOverlong()
  }

  const take = (): ReadonlyArray<Uint8Array> => {
    const kept = rest
    rest = []
    length = 0
    return kept
  }

  return {
    push: (piece) => {
      const last = piece.lastIndexOf(LINE_FEED)
      if (last === -1) return keep(piece)
      const first = isSkipping || rest.length > 0 ? piece.indexOf(LINE_FEED) : -1
      if (first !== -1) {
        const begun = take()
        if (isSkipping) isSkipping = false
        else pass(Buffer.concat([...begun, piece.subarray(0, first)]))
      }
      if (last > first) passAll(piece.subarray(first + 1, last))
      keep(piece.subarray(last + 1))
    },
    end: () => {
      const begun = take()
      if (begun.length > 0) pass(Buffer.concat(begun))
    }
  }
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")
