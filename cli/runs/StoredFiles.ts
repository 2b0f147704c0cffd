import { readdir, readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { RunSource, StoredRun, UnreadableRun } from "../../engine/audit/StoredRun.ts"
import { textLines } from "../io/Files.ts"
import { archiveAt, runFrom, runsFrom } from "./ReportText.ts"

/**
 * Runs from files and folders, ordered by name: reports and files of facts (`.json`; `.jsonl` has a report per line), archives (`.warc`, `.warc.gz`)
 * and databases of the service (`.db`). A report and an archive with the same name in one folder are one run. `archives`: the folder
 * of the service's archives; `null`: `archives` beside each database.
 */
export async function* storedFiles(paths: ReadonlyArray<string>, archives: string | null = null): RunSource {
  for (const path of paths) yield* runsAt(path, archives)
}

const REPORT = /\.json$/iu
const REPORTS = /\.jsonl$/iu
const DATABASE = /\.(?:db|sqlite3?)$/iu
const ARCHIVE = /\.warc(?:\.gz)?$/iu

async function* runsAt(path: string, archives: string | null): RunSource {
  const found = await stat(path).catch(() => null)
  if (found === null) yield { name: path, unreadable: "no such file or folder" }
  else yield* runsOf(found.isDirectory() ? await filesIn(path) : [path], archives)
}

const filesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

async function* runsOf(files: ReadonlyArray<string>, ofService: string | null): RunSource {
  const archives = new Map(files.filter((file) => ARCHIVE.test(file)).map((file) => [file.replace(ARCHIVE, ""), file]))
  const reports = new Set(files.filter((file) => REPORT.test(file)).map((file) => file.replace(REPORT, "")))
  for (const file of files) {
    if (DATABASE.test(file))
      yield* (await import("./StoredDatabase.ts")).databaseRuns(file, ofService ?? join(dirname(file), "archives"))
    else if (REPORTS.test(file)) yield* lines(file)
    else if (REPORT.test(file)) yield* await reportRuns(file, archives.get(file.replace(REPORT, "")) ?? null)
    else if (ARCHIVE.test(file)) {
      if (!reports.has(file.replace(ARCHIVE, ""))) yield { name: file, report: null, archive: archiveAt(file) }
    } else if (files.length === 1)
      yield {
        name: file,
        unreadable: "it is not a report (.json, .jsonl), an archive (.warc, .warc.gz) or a database (.db)"
      }
  }
}

async function* lines(file: string): RunSource {
  let number = 0
  for await (const line of textLines(file)) {
    number += 1
    if (line.trim() !== "") yield runFrom(`${file}:${number}`, line, null)
  }
}

const reportRuns = async (file: string, archive: string | null): Promise<ReadonlyArray<StoredRun | UnreadableRun>> => {
  try {
    return runsFrom(file, await readFile(file, "utf8"), archive)
  } catch {
    return [{ name: file, unreadable: "it cannot be read" }]
  }
}
