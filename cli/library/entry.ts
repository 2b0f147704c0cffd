/** `docgauge`: audits in a program, with promises. Its types need no other package. */
export { audit } from "./Audit.ts"
export { AuditError } from "./AuditError.ts"
export type { AuditOptions, AuditProgress } from "./AuditOptions.ts"
export { renderReport, type RenderFormat } from "./RenderReport.ts"
export type { AuditReport, CriterionResult, CriterionStatus, EvidenceItem, Finding, Remedy } from "./Report.ts"
