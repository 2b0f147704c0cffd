import { renderMarkdown } from "../../../engine/audit/render/MarkdownReport.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { escapeMarkdown } from "../../../engine/text/MarkdownText.ts"
import { baselineChangeText } from "../../gate/Baseline.ts"
import { type GateResult, waiversNote } from "../../gate/Gates.ts"

/** The report in Markdown, for summaries and pull requests: with the change since the baseline, and the waivers that forgive points. */
export const renderGatedMarkdown = (report: AuditReport, { gate }: { readonly gate: GateResult }): string => {
  const waivers = waiversNote(gate, report)
  const notes = [
    ...(gate.change === null ? [] : [`**Since the baseline:** ${escapeMarkdown(baselineChangeText(gate.change))}`]),
    ...(waivers === null ? [] : [`**Waivers:** ${escapeMarkdown(waivers)}`])
  ]
  return renderMarkdown(report, { note: notes.join("\n\n") })
}
