import * as Config from "effect/Config"
import * as Schema from "effect/Schema"
import { ServeError } from "effect/http/HttpServerError"

/** The service cannot start with its configuration. */
export class StartFailure extends Schema.TaggedError<StartFailure>()("StartFailure", {
  /** For the operator: what is wrong, and which variable to change. */
  message: Schema.String
}) {}

/** Why the service did not start, for the operator, in one line if possible. */
export const startFailureOf = (error: unknown): StartFailure => {
  if (error instanceof StartFailure) return error
  if (error instanceof Config.ConfigError) return new StartFailure({ message: error.cause.message })
  if (error instanceof ServeError) return new StartFailure({ message: listenProblem(error.cause) })
  return new StartFailure({ message: error instanceof Error ? error.message : String(error) })
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "PORT: already in use",
  EACCES: "PORT: this user may not listen on it",
  EADDRNOTAVAIL: "HOST: not an address of this machine",
  ENOTFOUND: "HOST: there is no such name",
  EAI_AGAIN: "HOST: there is no such name"
}

const listenProblem = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return LISTEN_PROBLEMS[code] ?? `HOST, PORT: cannot listen there${code === "" ? "" : ` (${code})`}`
}
