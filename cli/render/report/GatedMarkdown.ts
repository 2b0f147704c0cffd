import type { AuditReport } from "../../../engine/audit/Report.ts"
import type { ReportNote } from "../../../engine/report/html/HtmlReport.ts"
import { renderMarkdown } from "../../../engine/report/MarkdownReport.ts"
import { escapeMarkdown } from "../../../engine/text/MarkupText.ts"
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

/** The report in Markdown, for summaries and pull requests, with the notes of the gate. */
export const renderGatedMarkdown = (report: AuditReport, { gate }: { readonly gate: GateResult }): string =>
  renderMarkdown(report, {
    note: gateNotes(report, gate)
      .map(({ text, title }) => `**${title}:** ${escapeMarkdown(text)}`)
      .join("\n\n")
  })
