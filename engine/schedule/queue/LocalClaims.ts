import * as Effect from "effect/Effect"
import type { Run } from "../../store/runs/Run.ts"
import type { Claim, QueueStore } from "./QueueStore.ts"

/** The claims of a queue that one process alone takes runs from: they end with the process, so nothing has to be stored. */
export interface LocalClaims extends Pick<QueueStore, "keep" | "complete" | "giveBack" | "validMs" | "announce"> {
  readonly domains: () => ReadonlyArray<string>
  readonly runs: () => ReadonlyArray<string>
  readonly add: (run: Run) => Effect.Effect<Claim>
}

export const makeLocalClaims = (): LocalClaims => {
  /** By domain. */
  const claims = new Map<string, Claim>()
  let taken = 0
  const end = ({ number, run }: Claim) =>
    Effect.sync(() => {
      if (claims.get(run.domain)?.number === number) claims.delete(run.domain)
    })
  return {
    validMs: Number.POSITIVE_INFINITY,
    domains: () => [...claims.keys()],
    runs: () => [...claims.values()].map(({ run }) => run.id),
    add: (run) =>
      Effect.sync(() => {
        const claim = { run, number: ++taken, endsAt: Number.POSITIVE_INFINITY }
        claims.set(run.domain, claim)
        return claim
      }),
    keep: ({ number, run }) => Effect.sync(() => claims.get(run.domain)?.number === number),
    complete: end,
    giveBack: end,
    // There is no other process, whose rubric could differ.
    announce: () => Effect.void
  }
}
