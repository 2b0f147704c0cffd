import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import process from "node:process"
import { audit, type BombOptions, bombProcesses } from "../worker/BombTask.ts"

/** One of each kind in CI; 100 are run by hand where the way in which audits are isolated changes. */
const ROUNDS = Number(process.env["DOCGAUGE_BOMB_ROUNDS"] ?? "6")

const MB = 1024 * 1024

/** Ends an audit that hangs after three seconds. */
const SOON: BombOptions = { gatherMs: 1 }

const BOMBS: ReadonlyArray<readonly [bomb: string, reason: string, options?: BombOptions]> = [
  ["heap", "out_of_memory"],
  ["arrayBuffer", "out_of_memory"],
  ["wasm", "out_of_memory"],
  ["regularExpression", "timed_out", SOON],
  ["allocation", "out_of_memory"],
  ["loop", "timed_out", SOON]
]

const rounds = Array.from(
  { length: ROUNDS },
  (_, round) => BOMBS[round % BOMBS.length] ?? BOMBS[0] ?? (["heap", "out_of_memory"] as const)
)

describe("a process whose audits are bombs", () => {
  it.live(
    `outlives ${ROUNDS} of them, and stays small`,
    () =>
      Effect.gen(function* () {
        const before = process.memoryUsage.rss()
        yield* Effect.forEach(
          rounds,
          ([bomb, reason, options]) =>
            Effect.map(audit(bomb, options), ({ outcome }) => assert.strictEqual(outcome, reason, bomb)),
          { concurrency: 2 }
        )
        assert.strictEqual((yield* audit("harmless")).outcome, "done")
        assert.isBelow(process.memoryUsage.rss() - before, 150 * MB)
      }).pipe(Effect.provide(bombProcesses)),
    1_800_000
  )
})
