import * as Effect from "effect/Effect"
import process from "node:process"
import { AuditProcesses } from "../../engine/process/AuditProcesses.ts"
import { bombProcesses, bombTask } from "../worker/BombTask.ts"

/* A parent to be killed: its audit process is in an endless loop. Tells that process's id on stdout. */

const hang = AuditProcesses.use(({ audit }) =>
  audit(bombTask("loop"), (step) => {
    if (step._tag === "Requested") process.stdout.write(`${step.count}\n`)
  })
)

await Effect.runPromise(Effect.provide(hang, bombProcesses))
