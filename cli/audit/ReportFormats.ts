import * as Struct from "effect/Struct"
import type { AuditReport } from "../../engine/audit/Report.ts"
import type { TextOptions } from "../render/TextReport.ts"

/** Renders a report; formats for programs ignore the options. */
export type ReportRenderer = (report: AuditReport, options: TextOptions) => string

/** The formats of `--format`, each imported when it is used. */
export const reportRenderers = {
  text: async (): Promise<ReportRenderer> => (await import("../render/TextReport.ts")).renderText,
  json: async (): Promise<ReportRenderer> => (await import("../../engine/audit/Report.ts")).encodeReport,
  markdown: async (): Promise<ReportRenderer> => {
    const { renderMarkdown } = await import("../../engine/audit/render/MarkdownReport.ts")
    return (report) => renderMarkdown(report)
  }
}

/** `both`: Markdown and JSON. */
export const REPORT_FORMATS = [...Struct.keys(reportRenderers), "both"] as const

export type ReportFormat = (typeof REPORT_FORMATS)[number]
