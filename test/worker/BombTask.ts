import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { AuditProcesses } from "../../engine/process/AuditProcesses.ts"
import type { AuditTask } from "../../engine/process/AuditTask.ts"

/** Audit processes whose audits are bombs: two at once. */
export const bombProcessesAt = (niceness: number) =>
  AuditProcesses.layer({ entry: new URL("./BombProcess.ts", import.meta.url), most: 2, niceness })

/** Processes that give way to nobody, because those of other tests do not either. */
export const bombProcesses = bombProcessesAt(0)

export interface BombOptions {
  /** Gathering time: an audit that hangs is ended three seconds after it. By default so long that a slow machine ends no other audit. */
  readonly gatherMs?: number
  readonly folder?: string
}

/** The task of an audit whose process does what `bomb` names. */
export const bombTask = (
  bomb: string,
  { folder = "/nonexistent", gatherMs = 200_000 }: BombOptions = {}
): AuditTask => ({
  kind: "audit",
  url: `https://docs.example.com/${bomb}`,
  date: "2026-11-21",
  sampleSize: 20,
  asAgents: false,
  blockedSites: [],
  network: {
    resolve: [],
    allowPrivate: false,
    allowHttp: false,
    userAgents: { docgauge: "docgauge/0", browser: "docgauge/0" }
  },
  limits: limitsWith({ gatherMs }),
  rubric: { file: "rubric.yaml", content: null, digest: "", pluginSeconds: null },
  folder
})

/** Has the bomb audited: how it ended, `done` or the reason of its death, and the ids of the processes that met it. */
export const audit = (bomb: string, options?: BombOptions) => {
  const pids: Array<number> = []
  return AuditProcesses.use((processes) =>
    processes.audit(bombTask(bomb, options), (step) => {
      if (step._tag === "Requested") pids.push(step.count)
    })
  ).pipe(
    Effect.result,
    Effect.map((result) => ({ outcome: Result.isSuccess(result) ? "done" : result.failure.reason, pids }))
  )
}
