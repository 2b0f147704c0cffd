import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** What other processes may have to look at: the queue, or what operators changed. */
export type ChangeTopic = "queue" | "operators"

/** Tells other processes at once that something changed. It may lose a message, so those that wait for one also poll. */
export interface Changes {
  /** Tells them once the current transaction is committed; at once outside a transaction. */
  readonly notify: (topic: ChangeTopic) => Effect.Effect<void>
  /** Waits until a process, which may be this one, has told of a change. */
  readonly next: (topic: ChangeTopic) => Effect.Effect<void>
}

/** On PostgreSQL `LISTEN` and `NOTIFY`; without it nothing is told, and polling finds every change. */
export const ChangeFeed = Context.Reference<Changes>("docgauge/store/ChangeFeed", {
  defaultValue: () => ({ notify: () => Effect.void, next: () => Effect.never })
})
