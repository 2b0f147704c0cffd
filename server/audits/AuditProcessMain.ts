import { enableCompileCache } from "node:module"

// The first audit of a process waits for its start, so compiled code is cached.
enableCompileCache()

const [{ serveParent }, { auditTasks }] = await Promise.all([
  import("../../engine/process/AuditProcessLoop.ts"),
  import("./AuditTasks.ts"),
  // Audits load it themselves, but a process is started before it has one.
  import("../../engine/audit/Audit.ts").then(({ loadAuditSteps }) => loadAuditSteps())
])

serveParent(auditTasks())
