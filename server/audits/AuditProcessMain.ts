import { loadAuditSteps } from "../../engine/audit/Audit.ts"
import { serveParent } from "../../engine/process/AuditProcessLoop.ts"
import { auditTasks } from "./AuditTasks.ts"

// Audits load it themselves, but a process is started before it has one.
await loadAuditSteps()

serveParent(auditTasks())
