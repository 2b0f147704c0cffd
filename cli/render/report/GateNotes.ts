import type { AuditReport } from "../../../engine/audit/Report.ts"
import type { ReportNote } from "../../../server/pages/report/HtmlFile.ts"
import { baselineChangeText } from "../../gate/Baseline.ts"
import { forgivingWaivers, type GateResult } from "../../gate/Gates.ts"

/** What a file for readers says above the report: the change since the baseline, and the waivers that forgive points. */
export const gateNotes = (report: AuditReport, gate: GateResult): ReadonlyArray<ReportNote> => {
  const waivers = forgivingWaivers(gate, report)
  return [
    ...(gate.change === null ? [] : [{ title: "Since the baseline", text: baselineChangeText(gate.change) }]),
    ...(waivers === null ? [] : [{ title: "Goals met with waivers", text: `${waivers}.` }])
  ]
}
