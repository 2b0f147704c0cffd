import { renderMarkdown } from "../../../engine/audit/render/MarkdownReport.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { escapeMarkdown } from "../../../engine/text/MarkdownText.ts"
import { baselineChangeText } from "../../gate/Baseline.ts"
import type { GateResult } from "../../gate/Gates.ts"

/** The report in Markdown, for summaries and pull requests: with the change since the baseline, if there is one. */
export const renderGatedMarkdown = (report: AuditReport, { gate: { change } }: { readonly gate: GateResult }): string =>
  renderMarkdown(report, change === null ? {} : { note: `**Since the baseline:** ${escapeMarkdown(baselineChangeText(change))}` })
