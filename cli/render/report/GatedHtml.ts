import type { AuditReport } from "../../../engine/audit/Report.ts"
import { renderHtml } from "../../../server/pages/report/HtmlFile.ts"
import type { RubricWords } from "../../../server/pages/report/ReportView.ts"
import type { GateResult } from "../../gate/Gates.ts"
import { gateNotes } from "./GateNotes.ts"

/** The report as one HTML file, with the notes of the gate. */
export const renderGatedHtml = (
  report: AuditReport,
  { gate, words }: { readonly gate: GateResult; readonly words: RubricWords }
): string => renderHtml(report, { words, notes: gateNotes(report, gate) })
