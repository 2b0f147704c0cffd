import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { connect, createServer, type Socket } from "node:net"
import { type Database, postgresAt } from "../../engine/store/Database.ts"

/** A way to a PostgreSQL server that can be cut off, as a network is: nothing is refused or closed, it just does not arrive. */
export interface CutOff {
  readonly address: Database
  readonly cut: Effect.Effect<void>
  readonly heal: Effect.Effect<void>
}

/** A proxy on loopback before the server of `address`, closed with the scope. */
export const cutOff = (address: Database): Effect.Effect<CutOff, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (address._tag !== "Postgres") return yield* Effect.die(new Error("only a server can be cut off"))
    const target = new URL(Redacted.value(address.url))
    const ways = new Map<Socket, Socket>()
    let isCut = false
    const server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname)
      for (const [from, to] of [
        [near, far],
        [far, near]
      ] as const) {
        ways.set(from, to)
        from
          .on("error", () => to.destroy())
          .on("close", () => {
            ways.delete(from)
            to.destroy()
          })
        if (!isCut) from.pipe(to)
      }
    })
    const port = yield* Effect.acquireRelease(
      Effect.callback<number>((resume) => {
        server.listen(0, "127.0.0.1", () => {
          const its = server.address()
          resume(Effect.succeed(typeof its === "object" && its !== null ? its.port : 0))
        })
      }),
      () =>
        Effect.callback<void>((resume) => {
          for (const socket of ways.keys()) socket.destroy()
          server.close(() => resume(Effect.void))
        })
    )
    const url = new URL(target)
    url.port = String(port)
    const set = (cut: boolean) =>
      Effect.sync(() => {
        isCut = cut
        for (const [from, to] of ways) {
          if (cut) from.unpipe(to).pause()
          else from.pipe(to)
        }
      })
    return { address: postgresAt(url.href), cut: set(true), heal: set(false) }
  })
