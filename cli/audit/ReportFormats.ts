import * as Struct from "effect/Struct"
import type { AuditReport } from "../../engine/audit/Report.ts"
import type { RubricWords } from "../../server/pages/report/ReportView.ts"
import type { GateResult } from "../gate/Gates.ts"
import type { TextOptions } from "../render/TextReport.ts"

/** What a format may use besides the report. */
export interface RenderOptions extends TextOptions {
  readonly gate: GateResult
  /** Why each criterion matters, by the rubric; empty unless the format is `html`. */
  readonly words: RubricWords
}

export type ReportRenderer = (report: AuditReport, options: RenderOptions) => string

/** The formats of `--format`, each imported when it is used. */
export const reportRenderers = {
  text: async (): Promise<ReportRenderer> => (await import("../render/TextReport.ts")).renderText,
  json: async (): Promise<ReportRenderer> => (await import("../../engine/audit/Report.ts")).encodeReport,
  markdown: async (): Promise<ReportRenderer> => {
    const { renderMarkdown } = await import("../../engine/audit/render/MarkdownReport.ts")
    return (report) => renderMarkdown(report)
  },
  junit: async (): Promise<ReportRenderer> => (await import("../render/report/JUnit.ts")).renderJUnit,
  sarif: async (): Promise<ReportRenderer> => (await import("../render/report/ReportSarif.ts")).renderReportSarif,
  html: async (): Promise<ReportRenderer> => (await import("../render/report/HtmlReport.ts")).renderHtml,
  github: async (): Promise<ReportRenderer> => (await import("../render/report/GithubAnnotations.ts")).renderGithub
}

export type FileFormat = Exclude<keyof typeof reportRenderers, "github">

/** The formats that make sense in a file: annotations are for a log. */
export const FILE_FORMATS: ReadonlyArray<FileFormat> = Struct.keys(reportRenderers).filter((format) => format !== "github")

/** `both`: Markdown and JSON. */
export const REPORT_FORMATS = [...Struct.keys(reportRenderers), "both"] as const

export type ReportFormat = (typeof REPORT_FORMATS)[number]
