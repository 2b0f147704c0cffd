/** `docgauge`: audits in a program, with promises. Its types need no other package. */
export { audit } from "./Audit.ts"
export { AuditError } from "./AuditError.ts"
export type { AuditOptions, AuditProgress } from "./AuditOptions.ts"
export type { RenderFormat } from "../audit/RenderFormat.ts"
export { renderReport } from "./RenderReport.ts"
export type { AuditReport, CriterionResult, CriterionStatus, EvidenceItem, Finding, Remedy } from "./Report.ts"
