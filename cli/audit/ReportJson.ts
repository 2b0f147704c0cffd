import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"

/** The schema in the package of this version, as unpkg.com serves what npm has. */
const SCHEMA = `https://unpkg.com/docgauge@${ENGINE_VERSION}/dist/report.schema.json`

/** The report as JSON that names its schema, by which editors and validators read it. */
export const reportJson = (report: AuditReport): string =>
  `${JSON.stringify({ $schema: SCHEMA, ...report }, null, 2)}\n`
