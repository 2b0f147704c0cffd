import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import process from "node:process"
import { layerDatabase, layerServiceDatabase, sqliteAt } from "../../../engine/store/Database.ts"
import { sqliteBackends } from "../Databases.ts"

/** Another process that serves the database at a path. */
const serveElsewhere = async (path: string) => {
  const child = fork(join(import.meta.dirname, "HoldingProcess.ts"), [path])
  await once(child, "message")
  return child
}

describe.each(sqliteBackends)("a database of a service, in $name", ({ fresh }) => {
  it.live("is refused to a second service with one sentence, and open to commands, until the first stops", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* fresh
        const serve = Layer.build(Layer.fresh(layerServiceDatabase(address)))
        const first = yield* Scope.make()
        yield* Scope.provide(serve, first)
        const refusal = yield* Effect.flip(serve)
        assert.strictEqual(
          refusal.message,
          `${address.name} is in use by another docgauge service, and an SQLite file is for one. Stop that one, or set DOCGAUGE_DATABASE_URL to postgres://… for both`
        )
        const command = SqlClient.use((sql) => sql`SELECT COUNT(*) FROM runs`)
        yield* Effect.provide(command, Layer.fresh(layerDatabase(address)))
        yield* Scope.close(first, Exit.void)
        yield* serve
      })
    )
  )
})

describe.each(sqliteBackends)("a service that is killed, in $name", ({ fresh }) => {
  it.live("leaves its database to the next at once", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* fresh
        if (address._tag !== "Sqlite") return
        const child = yield* Effect.promise(() => serveElsewhere(address.path))
        const serve = Layer.build(Layer.fresh(layerServiceDatabase(sqliteAt(address.path))))
        assert.match((yield* Effect.flip(serve)).message, /in use by another docgauge service/)
        const gone = once(child, "exit")
        process.kill(child.pid ?? 0, "SIGKILL")
        yield* Effect.promise(() => gone)
        yield* serve
      })
    )
  )
})
