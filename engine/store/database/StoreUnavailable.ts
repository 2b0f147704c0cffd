import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { inspect } from "node:util"

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

/** What the store answers, unless it is unavailable. */
export type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** The message of the innermost cause of an error, in one line: drivers wrap the database's own message. */
export const rootMessage = (error: unknown): string => {
  if (error instanceof Error && error.cause instanceof Error) return rootMessage(error.cause)
  return textOf(error).split("\n")[0] ?? ""
}

/** Drivers also fail with objects that are no errors, some of which have no `toString`. */
const textOf = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return String(error)
  return "message" in error && typeof error.message === "string"
    ? error.message
    : inspect(error, { breakLength: Number.POSITIVE_INFINITY })
}
