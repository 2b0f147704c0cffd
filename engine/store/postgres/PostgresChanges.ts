import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { Changes } from "../database/ChangeFeed.ts"

const CHANNEL = "docgauge"

const RECONNECT_DELAY = "1 second"

/**
 * Changes by `LISTEN` and `NOTIFY`, over a connection of their own that is opened for the first subscriber, and reopened when lost.
 * `NOTIFY` is sent after the transaction, because commits that contain one wait for each other.
 */
export const makeChanges = Effect.fnUntraced(function* (writer: PgClient.PgClient, settings: PgClient.PgClientConfig) {
  const topics = { queue: Latch.makeUnsafe(false), operators: Latch.makeUnsafe(false) }
  const scope = yield* Effect.scope

  const listen = Effect.gen(function* () {
    const client = yield* PgClient.makeClient(settings)
    const messages = yield* client.listen(CHANNEL)
    // Changes that were sent while no connection listened are lost.
    yield* topics.queue.release
    yield* topics.operators.release
    while (true) {
      const { payload } = yield* Queue.take(messages)
      if (payload === "queue" || payload === "operators") yield* topics[payload].release
    }
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))

  const listening = Effect.ignoreCause(listen).pipe(Effect.andThen(Effect.sleep(RECONNECT_DELAY)), Effect.forever)
  const started = yield* Effect.cached(Effect.forkIn(listening, scope))

  const changes: Changes = {
    notify: (topic) =>
      writer.afterCommit(Effect.asVoid(Effect.forkIn(Effect.ignore(writer.notify(CHANNEL, topic)), scope))),
    next: (topic) => Effect.andThen(started, topics[topic].await)
  }
  return changes
})
