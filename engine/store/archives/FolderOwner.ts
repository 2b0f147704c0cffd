import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { StoreUnavailable } from "../database/StoreUnavailable.ts"
import { serverKey } from "../operators/ServerKey.ts"
import { FILE_MODE, hasCode, makeFolder } from "./ArchiveFolder.ts"

/** The file in an archive folder that names its database, and the time at which that used the folder first. */
export const OWNER_FILE = "database"

/** What a database is named by in the folders of its archives. */
export const databaseName = (sql: SqlClient): Effect.Effect<string, SqlError> =>
  Effect.map(serverKey(sql, "archive folder"), (key) => Buffer.from(key).toString("hex"))

/**
 * From when on an archive in the folder whose run is missing in the database is that of a deleted run, in milliseconds since the
 * epoch. Any earlier one may be that of a run in another database. `Infinity` if the folder belongs to another database.
 */
export const ownedSince = Effect.fnUntraced(function* (
  database: string,
  folder: string
): Effect.fn.Return<number, StoreUnavailable> {
  const now = yield* Clock.currentTimeMillis
  const owner = yield* Effect.tryPromise({
    try: () => readOrWrite(folder, `${database} ${now}\n`),
    catch: (cause) => new StoreUnavailable({ cause })
  })
  return owner.database === database ? owner.since : Number.POSITIVE_INFINITY
})

/** What to do about archives that were left in the folder. */
export const leftText = (folder: string, count: number): string =>
  `Archives left in ${folder}: ${count}. This database does not have their runs, but another may. If DOCGAUGE_DATABASE_URL is right, delete them.`

const OWNER = /^([\da-f]+) (\d+)\n$/u

const readOrWrite = async (
  folder: string,
  own: string
): Promise<{ readonly database: string; readonly since: number }> => {
  const path = join(folder, OWNER_FILE)
  await makeFolder(folder)
  // Of processes that start at the same time, the first decides.
  await writeFile(path, own, { flag: "wx", mode: FILE_MODE }).catch((error: unknown) => {
    if (!hasCode(error, "EEXIST")) throw error
  })
  const [, database, since] = OWNER.exec(await readFile(path, "utf8")) ?? []
  if (database === undefined || since === undefined)
    throw new Error(`${path} is not complete. Delete it if it stays so`)
  return { database, since: Number(since) }
}
