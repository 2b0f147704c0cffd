import { enableCompileCache } from "node:module"

// The first audit of a process waits for its start, so compiled code is cached.
enableCompileCache()

const [{ serveParent }, { auditTasks }] = await Promise.all([import("../../engine/process/AuditProcessLoop.ts"), import("./AuditTasks.ts")])

serveParent(auditTasks())
