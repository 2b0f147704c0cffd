import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { dirname, join } from "node:path"
import { existsSync } from "node:fs"
import { readFile, rename, rm, rmdir } from "node:fs/promises"
import { findArchive, type NewArchive } from "../blobs/BlobRows.ts"
import { serverKey } from "../operators/ServerKey.ts"
import { storedId } from "../runs/Run.ts"
import type { ArchivedAttempt, Proof } from "./ArchiveStore.ts"
import { domainOf } from "../../evidence/Address.ts"
import { attempt, makeFolder, namesIn, unlessMissing } from "../blobs/BlobStore.ts"
import { digestKey } from "../database/ColumnValues.ts"
import type { DatabaseHealth } from "../database/SqlDatabase.ts"
import type { StoreUnavailable } from "../database/StoreUnavailable.ts"

/*
 * The layout of the archive folder: `DATABASE/archives/NN/ID-ATTEMPT-PROOF.warc.gz`. A service reads and deletes in the folder of its own
 * database alone, so a wrong `DOCGAUGE_DATABASE_URL` deletes nothing. The rest is the key of the archive, also in the object store: it has
 * all that an index needs, so an archive that is not in the index is noted there when it is found. Files are written to `parts` first.
 */

/** The key below which all archives are. */
export const ARCHIVES = "archives"

const PARTS = "parts"

export const partsOf = (folder: string): string => join(folder, PARTS)

const DATABASE_FOLDER = /^[\da-f]{16}$/u

export const isDatabaseFolder = (name: string): boolean => DATABASE_FOLDER.test(name)

export const databaseFolder = (sql: SqlClient, folder: string): Effect.Effect<string, SqlError> =>
  Effect.map(serverKey(sql, "archive folder"), (key) => join(folder, Buffer.from(key).toString("hex").slice(0, 16)))

/** The key below which those of a run are. */
export const archivePart = (id: string): string => `${ARCHIVES}/${id.slice(-2)}`

/** The key of an attempt's archive, so that an attempt that was stopped for a while cannot overwrite what a later one wrote. */
export const archiveKey = ({ attempt, id }: Pick<ArchivedAttempt, "id" | "attempt">, proof: Proof): string =>
  `${archivePart(id)}/${id}-${attempt}-${proof}.warc.gz`

const KEY = /^archives\/[\da-f]{2}\/([\da-f-]{36})-(\d{1,9})-(report|failure)\.warc\.gz$/u

/** `null` for a file that is no archive. */
export const parseArchiveKey = (key: string): Pick<NewArchive, "key" | "id" | "attempt" | "kind"> | null => {
  const [, id = "", attempt = "", proof] = KEY.exec(key) ?? []
  return storedId(id) === id
    ? { key, id, attempt: Number(attempt), kind: proof === "failure" ? "failure" : "report" }
    : null
}

/*
 * The layout of the archive folder until schema 0005: `runs/NN/ID.ATTEMPT.warc.gz`, with two marker files each, `sites/KEY/NAME` and
 * `domains/KEY/NAME`, which contains what the archive proves; beside them a `ledger` of sizes, and `database`, which named the owner.
 */

const RUNS = "runs"

const NAME = /^(([\da-f-]{36})\.(\d{1,9}))\.warc\.gz$/u

interface OldArchive {
  readonly id: string
  readonly attempt: number
  readonly path: string
  /** That of its marker files. */
  readonly name: string
}

const archivesIn = async (part: string): Promise<ReadonlyArray<OldArchive>> =>
  (await namesIn(part)).flatMap((file) => {
    const [, name = "", id = "", number] = NAME.exec(file) ?? []
    return storedId(id) === id ? [{ id, name, attempt: Number(number), path: join(part, file) }] : []
  })

/** The file of a run's archive, that of the latest attempt, if it has not been taken in. */
const oldArchiveOf = async (folder: string, id: string): Promise<string | null> => {
  const attempts = (await archivesIn(join(folder, RUNS, id.slice(-2)))).filter((archive) => archive.id === id)
  return attempts.toSorted((one, other) => other.attempt - one.attempt)[0]?.path ?? null
}

/** Runs that are looked up together. */
const BATCH = 500

/**
 * Moves the archives of runs that the database has to its own folder, where they are indexed like all that are found there, and deletes
 * their markers. Returns how many are left, which may belong to runs of another database; without any, deletes all that the old layout
 * had. It may be repeated at any point: the folder `runs` goes last.
 */
export const takeInOldFolder = Effect.fnUntraced(function* (
  sql: SqlClient,
  { watch }: DatabaseHealth["Service"],
  folder: string,
  own: string
): Effect.fn.Return<number, StoreUnavailable> {
  const runs = join(folder, RUNS)
  const parts = yield* attempt(() => namesIn(runs))
  if (parts.length === 0) return 0
  let left = 0
  for (const part of parts) {
    const archives = yield* attempt(() => archivesIn(join(runs, part)))
    for (let from = 0; from < archives.length; from += BATCH) {
      const batch = archives.slice(from, from + BATCH)
      const ids = [...new Set(batch.map(({ id }) => id))]
      const rows = yield* watch(
        sql<{ readonly id: string; readonly site: string }>`
          SELECT runs.id, sites.site FROM runs JOIN sites ON sites.serial = runs.site WHERE ${sql.in("runs.id", ids)}`
      )
      const sites = new Map(rows.map(({ id, site }) => [id, site]))
      for (const archive of batch) {
        const site = sites.get(archive.id)
        if (site === undefined) left++
        else yield* attempt(() => takeIn(folder, own, archive, site))
      }
    }
  }
  if (left === 0) yield* attempt(() => dropRest(folder, parts))
  return left
})

const takeIn = async (folder: string, own: string, archive: OldArchive, site: string): Promise<void> => {
  const mark = join(folder, "domains", digestKey(domainOf(site)), archive.name)
  const proof: Proof = (await unlessMissing(readFile(mark, "utf8"))) === "failure" ? "failure" : "report"
  const path = join(own, archiveKey(archive, proof))
  await makeFolder(dirname(path))
  // Another process may have taken it in, or deleted it.
  await unlessMissing(rename(archive.path, path))
  for (const key of [digestKey(site), digestKey(site, "failure")])
    await rm(join(folder, "sites", key, archive.name), { force: true })
  await rm(mark, { force: true })
}

/** Only files that docgauge wrote, and folders that are empty. */
const dropRest = async (folder: string, parts: ReadonlyArray<string>): Promise<void> => {
  for (const kind of ["sites", "domains"]) {
    for (const key of await namesIn(join(folder, kind))) {
      for (const name of await namesIn(join(folder, kind, key)))
        if (NAME.test(`${name}.warc.gz`)) await rm(join(folder, kind, key, name), { force: true })
      await dropEmpty(join(folder, kind, key))
    }
    await dropEmpty(join(folder, kind))
  }
  for (const [name, content] of [
    ["ledger", /^ledger [\da-f-]{36}\n/u],
    ["database", /^[\da-f]+ \d+\n$/u]
  ] as const) {
    const path = join(folder, name)
    if (content.test((await unlessMissing(readFile(path, "utf8"))) ?? "")) await rm(path, { force: true })
  }
  for (const part of parts) await dropEmpty(join(folder, RUNS, part))
  await dropEmpty(join(folder, RUNS))
}

const dropEmpty = (path: string): Promise<void> => rmdir(path).catch(() => {})

/** The file of a run's archive, if it is in the folder, also with the layout of earlier versions, which a service takes in only as it starts. */
export const archiveFile = Effect.fnUntraced(function* (folder: string, id: string) {
  const sql = yield* SqlClient
  const blob = yield* findArchive(sql, id)
  const path = blob === null ? "" : join(yield* databaseFolder(sql, folder), blob.key)
  return existsSync(path) ? path : yield* Effect.promise(() => oldArchiveOf(folder, id))
})
