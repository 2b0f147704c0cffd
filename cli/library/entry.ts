/** `docgauge`: audits in a program, with promises. Its types need no other package. */
export { audit, renderReport } from "./Audit.ts"
export { AuditError } from "./Audit.ts"
export type { AuditOptions, AuditProgress } from "./Audit.ts"
export type { RenderFormat } from "../audit/RenderFormat.ts"
export type { AuditReport, CriterionResult, CriterionStatus, EvidenceItem, Finding, Remedy } from "./Report.ts"
