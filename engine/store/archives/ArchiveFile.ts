import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { findArchive } from "../blobs/BlobRows.ts"
import { databaseFolder } from "./ArchiveFolder.ts"
import { oldArchiveOf } from "./OldFolder.ts"

/** The file of a run's archive, if it is in the folder, also with the layout of earlier versions, which a service takes in only as it starts. */
export const archiveFile = Effect.fnUntraced(function* (folder: string, id: string) {
  const sql = yield* SqlClient
  const blob = yield* findArchive(sql, id)
  const path = blob === null ? "" : join(yield* databaseFolder(sql, folder), blob.key)
  return existsSync(path) ? path : yield* Effect.promise(() => oldArchiveOf(folder, id))
})
