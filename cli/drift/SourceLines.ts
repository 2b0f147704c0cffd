import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { relative, sep } from "node:path"
import type { DriftFinding } from "../../engine/drift/Drift.ts"
import type { PageSource } from "./DriftOutcome.ts"

/** Larger files are no pages that somebody writes. */
const FILE_BYTES = 2_000_000

/** Lines of a call, from its address on. */
const CALL_LINES = 20

/**
 * The line of a page's source file that a finding is about, from 1: the one with the path of the call, and soon after it what is false;
 * `null` where no line has the path.
 */
export const sourceLine = (lines: ReadonlyArray<string>, { call = "", found }: DriftFinding): number | null => {
  const path = call.slice(call.indexOf(" ") + 1)
  const at = lines.flatMap((line, index) => (path.length > 1 && line.includes(path) ? [index] : []))
  const exact = at.find((from) =>
    lines.slice(from, from + CALL_LINES).some((line) => found !== "" && line.includes(found))
  )
  const line = exact ?? at[0]
  return line === undefined ? null : line + 1
}

/** The same pages with the texts of their source files, where those are in the working directory: a build runs in its repository. */
export const withSourceTexts = Effect.fnUntraced(function* (sources: ReadonlyMap<string, PageSource>) {
  const files = yield* FileSystem.FileSystem
  const folder = yield* Effect.orDie(files.realPath("."))
  const textOf = Effect.fnUntraced(function* (file: string) {
    const path = yield* files.realPath(file)
    const { size, type } = yield* files.stat(path)
    const isWithin = relative(folder, path).split(sep)[0] !== ".."
    return isWithin && type === "File" && size <= FILE_BYTES ? yield* files.readFileString(path) : null
  })
  const entries = yield* Effect.forEach(sources, ([url, source]) =>
    source.file === undefined || source.isAsWritten
      ? Effect.succeed([url, source] as const)
      : Effect.map(
          Effect.orElseSucceed(textOf(source.file), () => null),
          (text) => [url, text === null ? source : { ...source, lines: text.split("\n") }] as const
        )
  )
  return new Map<string, PageSource>(entries)
})
