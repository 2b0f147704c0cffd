import { readdir, readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type RunSource, type StoredRun, type UnreadableRun, StoredReport } from "../../engine/audit/StoredRun.ts"
import { textLines } from "../io/Files.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { FactsFile, runsOfFacts } from "../../engine/audit/compare/FactsFile.ts"
import { openArchive } from "../../engine/evidence/archive/Replay.ts"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"

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
    if (DATABASE.test(file)) yield* databaseRuns(file, ofService ?? join(dirname(file), "archives"))
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

const decode = Schema.decodeUnknownOption(StoredReport)

const parsed = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** A run from the text of its report and the path of its archive, if it has one. */
const runFrom = (name: string, text: string, archive: string | null): StoredRun | UnreadableRun => {
  const report = Option.flatMap(parsed(text), decode)
  return Option.isNone(report)
    ? { name, unreadable: "it is not a docgauge report" }
    : { name, report: report.value, archive: archive === null ? null : archiveAt(archive) }
}

const decodeFacts = Schema.decodeUnknownOption(FactsFile)

/** The runs of a JSON file: those of a file of facts, else that of one report. */
const runsFrom = (name: string, text: string, archive: string | null): ReadonlyArray<StoredRun | UnreadableRun> => {
  const facts = Option.flatMap(parsed(text), decodeFacts)
  return Option.isSome(facts) ? runsOfFacts(facts.value, name) : [runFrom(name, text, archive)]
}

const archiveAt = (path: string): NonNullable<StoredRun["archive"]> =>
  Effect.mapError(openArchive(path), ({ message }) => `its archive cannot be used: ${message}`)

/** Sites per page. */
const PAGE = 100

/**
 * The newest finished run of every site in a database of the service (an SQLite file), in the order in which the sites were
 * first seen, each with its archive in the service's folder of archives, if that still has it. Most runs are in files, so what opens
 * databases is imported here.
 */
async function* databaseRuns(path: string, archives: string): RunSource {
  const [SecureRandom, { archiveFile }, { layerDatabase, sqliteAt }, { newestRuns }, { RunStore }, SqlRunStore] =
    await Promise.all([
      import("effect/crypto/SecureRandom"),
      import("../../engine/store/archives/ArchiveFolder.ts"),
      import("../../engine/store/Database.ts"),
      import("../../engine/store/runs/RunHistory.ts"),
      import("../../engine/store/runs/RunStore.ts"),
      import("../../engine/store/runs/SqlRunStore.ts")
    ])
  const layer = SqlRunStore.layerSql.pipe(
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(layerDatabase(sqliteAt(path)))
  )
  const runtime = ManagedRuntime.make(layer)
  try {
    for (let from: number | null = 0; from !== null;) {
      const at: number = from
      const page = await runtime.runPromise(newestRuns(at, PAGE))
      for (const run of page.runs) {
        const stored = await runtime.runPromise(Effect.flatMap(RunStore, (store) => store.report(run.id)))
        yield stored === null
          ? { name: run.id, unreadable: "its report is gone" }
          : runFrom(run.id, stored.encoded, await runtime.runPromise(archiveFile(archives, run.id)))
      }
      from = page.next
    }
  } finally {
    await runtime.dispose()
  }
}
