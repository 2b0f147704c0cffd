import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { serveParent } from "../../engine/process/AuditProcessLoop.ts"
import { Bombs } from "./Bombs.ts"

/*
 * An audit process whose audits do what a hostile site would have them do: the path of the audited URL names it. `large`
 * asks to hold many bytes, and tells when it may and when it is done. What is told as requests is the id of the process, except for
 * `fewRequests` and `fewRequestsAndNoEnd`.
 */

serveParent(async (task, { admitLarge, tell }) => {
  const folder = task.kind === "post" ? "" : task.folder
  const name = task.kind === "audit" ? new URL(task.url).pathname.slice(1) : ""
  tell({ _tag: "Requested", count: name.startsWith("fewRequests") ? 3 : process.pid })
  if (name === "large") {
    await admitLarge()
    tell({ _tag: "Measured", done: 1, total: 2, criteria: ["A1"] })
    await pause(500)
    tell({ _tag: "Measured", done: 2, total: 2, criteria: ["A1", "A2"] })
  }
  await Bombs[name]?.(folder)
  tell({ _tag: "Ended", failure: null, durationMs: 1, bytes: 0, residentBytes: process.memoryUsage.rss() })
})
