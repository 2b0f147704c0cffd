import * as Schema from "effect/Schema"

/** The store cannot be read or written now, for example because of a full disk or a lost connection. A caller may retry. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  /** For the log, never for a client. */
  cause: Schema.Defect()
}) {
  /** The database's own message; for the log, too. */
  override get message(): string {
    return rootMessage(this.cause)
  }
}

/** The message of the innermost cause of an error, in one line: drivers wrap the database's own message. */
export const rootMessage = (error: unknown): string => {
  if (error instanceof Error && error.cause instanceof Error) return rootMessage(error.cause)
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? ""
}
