import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Result from "effect/Result"
import { setting } from "../engine/config/Setting.ts"
import { configuredDatabase } from "../engine/store/Database.ts"

/**
 * What a process does. `web` serves HTTP, MCP and pages and runs no audits; `worker` runs audits and serves `/healthz` and `/metrics`
 * only; `all` does both.
 */
type ProcessRole = "all" | "web" | "worker"

const givenRole: Config.Config<ProcessRole> = setting("DOCGAUGE_ROLE", "all", (text) =>
  text === "all" || text === "web" || text === "worker" ? Result.succeed(text) : Result.fail("give all, web or worker")
)

/** `DOCGAUGE_ROLE`. Only processes on PostgreSQL can share the work: an SQLite file or memory is for one process. */
export const processRole: Config.Config<ProcessRole> = Config.flatMap(
  Config.all({ givenRole, database: configuredDatabase }),
  ({ database, givenRole }) =>
    givenRole !== "all" && database._tag !== "Postgres"
      ? Config.fail(
          new SourceError({
            message:
              "DOCGAUGE_ROLE: web and worker need a PostgreSQL database that they share, as DOCGAUGE_DATABASE_URL"
          })
        )
      : Config.succeed(givenRole)
)
