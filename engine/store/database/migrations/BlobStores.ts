import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"

/**
 * Where the bytes of a row of `objects` are: in the object store, as those of all earlier rows, or in the folder of archives, which had an
 * index of its own files until then (`ArchiveFolder.ts`). Nothing is `sent` any more, except by processes of an earlier version.
 */
export const addBlobStores = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE objects ADD COLUMN store ${columnTypes(sql).text} NOT NULL DEFAULT 'objects'`
})
