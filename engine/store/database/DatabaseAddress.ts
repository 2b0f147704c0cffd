import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Redacted from "effect/Redacted"
import { fileURLToPath } from "node:url"

/** Where runs are stored. */
export type DatabaseAddress = SqlAddress | { readonly _tag: "Memory" }

/** A database: an embedded SQLite file, or a PostgreSQL server. */
export type SqlAddress =
  | { readonly _tag: "Sqlite"; readonly path: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

const NAME = "DOCGAUGE_DATABASE_URL"

/** `DOCGAUGE_DATABASE_URL`, by default `file:data/docgauge.db`. An invalid value fails with one line that names the variable. */
export const databaseAddress: Config.Config<DatabaseAddress> = Config.String(NAME).pipe(
  Config.withDefault("file:data/docgauge.db"),
  Config.mapEffect((text) => {
    const address = parseDatabaseAddress(text)
    // Does not quote the value, because it may contain a password.
    return address === null
      ? Config.fail(new SourceError({ message: `${NAME}: must be file:PATH, postgres://USER:PASSWORD@HOST:PORT/DATABASE or memory:` }))
      : Config.succeed(address)
  })
)

/** Parses `file:PATH`, `file:///PATH`, `postgres://…`, `postgresql://…` or `memory:`; `null` for anything else. */
export const parseDatabaseAddress = (text: string): DatabaseAddress | null => {
  if (text === "memory:") return { _tag: "Memory" }
  if (text.startsWith("file:")) {
    const path = filePath(text)
    return path === null ? null : { _tag: "Sqlite", path }
  }
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return null
  return { _tag: "Postgres", url: Redacted.make(text) }
}

const filePath = (text: string): string | null => {
  if (/[?#\0]/.test(text)) return null
  const path = text.slice("file:".length)
  if (!path.startsWith("//")) return path === "" || path.endsWith("/") ? null : path
  try {
    return text.endsWith("/") ? null : fileURLToPath(text)
  } catch {
    return null
  }
}
