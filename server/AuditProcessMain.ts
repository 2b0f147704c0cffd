import { enableCompileCache } from "node:module"

// What was compiled once is not compiled again: the first audit of a process waits for its start.
enableCompileCache()

const [{ serveParent }, { auditTasks }] = await Promise.all([import("../engine/worker/AuditProcessLoop.ts"), import("./AuditTasks.ts")])

serveParent(auditTasks())
