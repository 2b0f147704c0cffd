import process from "node:process"
import { serveParent } from "../../engine/worker/AuditProcessLoop.ts"
import { Bombs } from "./Bombs.ts"

/* An audit process whose audits do what a hostile site would have them do: the path of the audited URL names it. */

serveParent(async ({ folder, url }, { tell }) => {
  const name = new URL(url).pathname.slice(1)
  tell({ _tag: "Requested", count: process.pid })
  await Bombs[name]?.(folder)
  tell({ _tag: "Ended", failure: null, durationMs: 1, bytes: 0, residentBytes: process.memoryUsage.rss() })
})
