import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import type { NewArchive } from "../blobs/BlobRows.ts"
import { serverKey } from "../operators/ServerKey.ts"
import { storedId } from "../runs/Run.ts"
import type { ArchivedAttempt, Proof } from "./ArchiveStore.ts"

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

/** Whether this is the name of a database's folder. */
export const isDatabaseFolder = (name: string): boolean => DATABASE_FOLDER.test(name)

/** The folder of a database's archives. */
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
