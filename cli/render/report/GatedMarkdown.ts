import { renderMarkdown } from "../../../engine/audit/render/MarkdownReport.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { escapeMarkdown } from "../../../engine/text/MarkdownText.ts"
import type { GateResult } from "../../gate/Gates.ts"
import { gateNotes } from "./GateNotes.ts"

/** The report in Markdown, for summaries and pull requests, with the notes of the gate. */
export const renderGatedMarkdown = (report: AuditReport, { gate }: { readonly gate: GateResult }): string =>
  renderMarkdown(report, {
    note: gateNotes(report, gate)
      .map(({ text, title }) => `**${title}:** ${escapeMarkdown(text)}`)
      .join("\n\n")
  })
