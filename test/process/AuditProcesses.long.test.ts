import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { getPriority, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { RESERVED_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { AuditProcesses } from "../../engine/process/AuditProcesses.ts"
import { MOST_AUDITS } from "../../engine/process/ProcessLimits.ts"
import { isAlive } from "../chaos/ProcessTree.ts"
import { audit, type BombOptions, bombProcesses, bombProcessesAt, bombTask } from "../worker/BombTask.ts"

/** Waits until none of the processes is there any more. */
const gone = (pids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    while (pids.some(isAlive)) yield* Effect.sleep("20 millis")
  })

/** Ends an audit that hangs after three seconds. */
const SOON: BombOptions = { gatherMs: 1 }

// The bombs that take longest are in test/hostile.
const DEATHS: ReadonlyArray<readonly [bomb: string, reason: string, options?: BombOptions]> = [
  ["arrayBuffer", "out_of_memory"],
  ["regularExpression", "timed_out", SOON],
  ["recursion", "crashed"],
  ["rejection", "crashed"],
  ["exit", "crashed"],
  ["kill", "killed"],
  ["nonsense", "crashed"]
]

describe("audit processes", () => {
  it.live.each(DEATHS)(
    "ends an audit with the bomb %s as %s, leaves no process behind, and audits on",
    ([bomb, reason, options]) =>
      Effect.gen(function* () {
        const { outcome, pids } = yield* audit(bomb, options)
        assert.strictEqual(outcome, reason)
        // A process that hangs has used up the time of the audit, and one that the system killed should not be followed by another at once.
        assert.strictEqual(new Set(pids).size, reason === "timed_out" || reason === "killed" ? 1 : 2)
        yield* gone(pids)
        assert.strictEqual((yield* audit("harmless")).outcome, "done")
      }).pipe(Effect.provide(bombProcesses))
  )

  it.live("run at a lower priority than the process that serves requests, with all their threads", () =>
    Effect.gen(function* () {
      const {
        pids: [pid = 0]
      } = yield* audit("harmless")
      assert.isAtLeast(getPriority(pid), getPriority() + 5)
      if (process.platform !== "linux") return
      const threads = readdirSync(`/proc/${pid}/task`).map(Number)
      assert.deepStrictEqual(
        threads.filter((thread) => getPriority(thread) < getPriority() + 5),
        []
      )
    }).pipe(Effect.provide(bombProcessesAt(10)))
  )

  it.live("retries an audit whose process died once, in another process", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "docgauge-once-"))
      const { outcome, pids } = yield* Effect.ensuring(
        audit("once", { folder }),
        Effect.sync(() => rmSync(folder, { recursive: true }))
      )
      assert.strictEqual(outcome, "done")
      assert.strictEqual(new Set(pids).size, 2)
    }).pipe(Effect.provide(bombProcesses))
  )

  it.live(
    "counts each attempt that its process did not finish as the requests of a whole audit, because it may have sent more than it told",
    () =>
      Effect.gen(function* () {
        const { outcome, pids: counts } = yield* audit("fewRequests")
        assert.strictEqual(outcome, "crashed")
        assert.strictEqual(
          counts.reduce((sum, count) => sum + count, 0),
          2 * RESERVED_REQUESTS
        )
        const hanging = yield* audit("fewRequestsAndNoEnd", SOON)
        assert.strictEqual(hanging.outcome, "timed_out")
        assert.strictEqual(
          hanging.pids.reduce((sum, count) => sum + count, 0),
          RESERVED_REQUESTS
        )
      }).pipe(Effect.provide(bombProcesses))
  )

  it.live("retries an audit in a process that has done no audit, also where others are idle", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "docgauge-once-"))
      const audits = yield* Effect.all([audit("harmless"), audit("harmless")], { concurrency: 2 })
      const used = new Set(audits.flatMap(({ pids }) => pids))
      assert.strictEqual(used.size, 2)
      const { outcome, pids } = yield* Effect.ensuring(
        audit("once", { folder }),
        Effect.sync(() => rmSync(folder, { recursive: true }))
      )
      assert.strictEqual(outcome, "done")
      const second = pids.at(-1) ?? 0
      assert.isFalse(used.has(second))
      // The process of the second attempt is kept.
      assert.deepStrictEqual((yield* audit("harmless")).pids, [second])
    }).pipe(Effect.provide(bombProcesses))
  )

  it.live("does not count processes that were killed while idle as attempts of an audit", () =>
    Effect.gen(function* () {
      const audits = yield* Effect.all([audit("harmless"), audit("harmless")], { concurrency: 2 })
      const idle = audits.flatMap(({ pids }) => pids)
      assert.strictEqual(new Set(idle).size, 2)
      for (const pid of idle) process.kill(pid, "SIGKILL")
      yield* gone(idle)
      assert.strictEqual((yield* audit("harmless")).outcome, "done")
    }).pipe(Effect.provide(bombProcesses))
  )

  it.live("runs other audits while one hangs", () =>
    Effect.gen(function* () {
      const hanging = yield* Effect.forkChild(audit("loop", { gatherMs: 60_000 }))
      for (let count = 0; count < 3; count++) assert.strictEqual((yield* audit("harmless")).outcome, "done")
      yield* Fiber.interrupt(hanging)
    }).pipe(Effect.provide(bombProcesses))
  )

  it.live(`reuses a process for at most ${MOST_AUDITS} audits`, () =>
    Effect.gen(function* () {
      const pids = new Set<number>()
      for (let count = 0; count <= MOST_AUDITS; count++) {
        const {
          pids: [pid = 0]
        } = yield* audit("harmless")
        if (count === MOST_AUDITS) assert.isFalse(pids.has(pid))
        else pids.add(pid)
      }
      assert.strictEqual(pids.size, 1)
    }).pipe(Effect.provide(bombProcesses))
  )

  it.live("does not reuse a process that has grown", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* audit("grows"), yield* audit("harmless")]
      assert.deepStrictEqual([first.outcome, second.outcome], ["done", "done"])
      assert.notStrictEqual(first.pids[0], second.pids[0])
    }).pipe(Effect.provide(bombProcesses))
  )

  it.live("lets only one audit at a time hold many bytes", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const large = (name: string) =>
        AuditProcesses.use((processes) =>
          processes.audit(bombTask("large"), (step) => {
            if (step._tag === "Measured") order.push(`${name} ${step.done}`)
          })
        )
      yield* Effect.all([large("one"), large("two")], { concurrency: 2 })
      const [first = ""] = order
      const [name] = first.split(" ")
      const other = name === "one" ? "two" : "one"
      assert.deepStrictEqual(order, [`${name} 1`, `${name} 2`, `${other} 1`, `${other} 2`])
    }).pipe(Effect.provide(bombProcesses))
  )

  it.live("ends the process of an interrupted audit, and all processes with the scope", () =>
    Effect.gen(function* () {
      const kept = yield* Effect.gen(function* () {
        const begun = yield* Deferred.make<number>()
        const hanging = AuditProcesses.use((processes) =>
          processes.audit(bombTask("loop"), (step) => {
            if (step._tag === "Requested") Deferred.doneUnsafe(begun, Effect.succeed(step.count))
          })
        )
        const fiber = yield* Effect.forkChild(hanging)
        const pid = yield* Deferred.await(begun)
        yield* Fiber.interrupt(fiber)
        yield* gone([pid])
        const { pids } = yield* audit("harmless")
        assert.isTrue(pids.every(isAlive))
        return pids
      }).pipe(Effect.provide(bombProcesses))
      yield* gone(kept)
    })
  )

  it.live("ends an audit process that hangs after its parent was killed", () =>
    Effect.gen(function* () {
      const parent = spawn(process.execPath, [join(import.meta.dirname, "OrphanedProcess.ts")], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      const [line] = yield* Effect.promise(() => once(createInterface(parent.stdout), "line"))
      const pid = Number(line)
      assert.isTrue(isAlive(pid))
      parent.kill("SIGKILL")
      // If it fails, it leaves no process behind that takes a core.
      yield* gone([pid]).pipe(
        Effect.timeout("1 minute"),
        Effect.ensuring(Effect.sync(() => isAlive(pid) && process.kill(pid, "SIGKILL")))
      )
    })
  )
})
