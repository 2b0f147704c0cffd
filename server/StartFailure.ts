import * as Config from "effect/Config"
import * as Schema from "effect/Schema"
import { ServeError } from "effect/http/HttpServerError"

/** The service cannot start as it is configured. */
export class StartFailure extends Schema.TaggedError<StartFailure>()("StartFailure", {
  /** For the operator: what is wrong, and with which variable. */
  message: Schema.String
}) {}

/** Why the service did not start, for the operator: in one line wherever one line can say it. */
export const startFailureOf = (error: unknown): StartFailure => {
  if (error instanceof StartFailure) return error
  if (error instanceof Config.ConfigError) return new StartFailure({ message: error.cause.message })
  if (error instanceof ServeError) return new StartFailure({ message: listenProblem(error.cause) })
  return new StartFailure({ message: error instanceof Error ? error.message : String(error) })
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "PORT: something else listens there already",
  EACCES: "PORT: this user may not listen there",
  EADDRNOTAVAIL: "HOST: this machine does not have that address",
  ENOTFOUND: "HOST: there is no such name",
  EAI_AGAIN: "HOST: there is no such name"
}

const listenProblem = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return LISTEN_PROBLEMS[code] ?? `HOST, PORT: cannot listen there${code === "" ? "" : ` (${code})`}`
}
