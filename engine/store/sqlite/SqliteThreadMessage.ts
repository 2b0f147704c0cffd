/** What a thread of `node:sqlite` is told first (`workerData`): which file to open. */
export interface OpenFile {
  readonly path: string
  readonly readOnly: boolean
}

/** A value of SQLite, as `node:sqlite` takes and gives it. */
export type SqliteValue = string | number | bigint | null | Uint8Array<ArrayBuffer>

/** One statement to run; `null` closes the file and ends the thread. */
export type StatementMessage = {
  readonly sql: string
  readonly params: ReadonlyArray<SqliteValue>
  /** Whether it stays prepared. */
  readonly reusable: boolean
} | null

/** The thread replies to the opening and to each message, in their order. */
export type ThreadReply =
  | { readonly _tag: "Rows"; readonly rows: ReadonlyArray<Readonly<Record<string, SqliteValue>>> }
  /** `message` and `code` as those of the package `sqlite3`: `SQLITE_FULL: database or disk is full`. */
  | { readonly _tag: "Failed"; readonly message: string; readonly code: string; readonly errno: number | undefined }
