import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { type RunSource, StoredReport, type StoredRun, type UnreadableRun } from "../engine/audit/StoredRun.ts"
import { openArchive } from "../engine/evidence/Replay.ts"
import { textLines } from "./TextLines.ts"

/**
 * Runs from files and folders, in the order of their names: reports (`.json`; `.jsonl`, one a line) and archives (`.warc`,
 * `.warc.gz`), databases of the service (`.db`). A report and an archive of one name in one folder are one run.
 */
export async function* storedFiles(paths: ReadonlyArray<string>): RunSource {
  for (const path of paths) yield* runsAt(path)
}

const REPORT = /\.json$/iu
const REPORTS = /\.jsonl$/iu
const DATABASE = /\.(?:db|sqlite3?)$/iu
const ARCHIVE = /\.warc(?:\.gz)?$/iu

async function* runsAt(path: string): RunSource {
  const kind = await kindOf(path)
  if (kind === null) yield { name: path, unreadable: "there is no such file or folder" }
  else if (kind === "file") yield* runsOf([path])
  else yield* runsOf(await filesIn(path))
}

const kindOf = async (path: string): Promise<"file" | "folder" | null> => {
  try {
    return (await stat(path)).isDirectory() ? "folder" : "file"
  } catch {
    return null
  }
}

const filesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).toSorted()
}

async function* runsOf(files: ReadonlyArray<string>): RunSource {
  const archives = new Map(files.filter((file) => ARCHIVE.test(file)).map((file) => [file.replace(ARCHIVE, ""), file]))
  const reports = new Set(files.filter((file) => REPORT.test(file)).map((file) => file.replace(REPORT, "")))
  for (const file of files) {
    if (DATABASE.test(file)) yield* (await import("./StoredDatabase.ts")).databaseRuns(file)
    else if (REPORTS.test(file)) yield* lines(file)
    else if (REPORT.test(file)) yield await reportRun(file, archives.get(file.replace(REPORT, "")) ?? null)
    else if (ARCHIVE.test(file)) {
      if (!reports.has(file.replace(ARCHIVE, ""))) yield { name: file, report: null, archive: opened(file) }
    } else if (files.length === 1) yield { name: file, unreadable: "it is neither a report (.json, .jsonl), nor an archive (.warc, .warc.gz), nor a database (.db)" }
  }
}

async function* lines(file: string): RunSource {
  let number = 0
  for await (const line of textLines(file)) {
    number += 1
    if (line.trim() !== "") yield runFrom(`${file}:${number}`, line, null)
  }
}

const reportRun = async (file: string, archive: string | null): Promise<StoredRun | UnreadableRun> => {
  try {
    return runFrom(file, await readFile(file, "utf8"), archive)
  } catch {
    return { name: file, unreadable: "it cannot be read" }
  }
}

const decode = Schema.decodeUnknownOption(StoredReport)

/** A run by the text of its report. */
export const runFrom = (name: string, text: string, archive: string | null): StoredRun | UnreadableRun => {
  const report = Option.flatMap(parsed(text), decode)
  return Option.isNone(report)
    ? { name, unreadable: "it is not a report of docgauge" }
    : { name, report: report.value, archive: archive === null ? null : opened(archive) }
}

const parsed = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const opened = (path: string): NonNullable<StoredRun["archive"]> => Effect.mapError(openArchive(path), ({ message }) => `the archive cannot be used: ${message}`)
