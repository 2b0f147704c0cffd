import * as Struct from "effect/Struct"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import type { RubricWords } from "../../engine/report/ReportView.ts"
import type { GateResult } from "../gate/Gates.ts"
import type { AnnotationRoom } from "../render/report/GithubAnnotations.ts"
import type { TextOptions } from "../render/TextReport.ts"

/** What a format may use besides the report. */
export interface RenderOptions extends TextOptions {
  readonly gate: GateResult
  /** Why each criterion matters, by the rubric; empty unless the format is `html`. */
  readonly words: RubricWords
  /** Its annotations where reports of other sites are printed beside it, so that each names its site; alone if missing. */
  readonly room?: AnnotationRoom
}

type ReportRenderer = (report: AuditReport, options: RenderOptions) => string

interface Format {
  /** What it is for, in the help; empty if its name says it. */
  readonly about: string
  /** Imported when it is used. */
  readonly load: () => Promise<ReportRenderer>
}

const format = (about: string, load: () => Promise<ReportRenderer>): Format => ({ about, load })

/** The schema in the package of this version, as unpkg.com serves what npm has. */
const SCHEMA = `https://unpkg.com/docgauge@${ENGINE_VERSION}/dist/report.schema.json`

/** The report as JSON that names its schema, by which editors and validators read it. */
export const reportJson = (report: AuditReport): string =>
  `${JSON.stringify({ $schema: SCHEMA, ...report }, null, 2)}\n`

/** The formats that make sense in a file. */
export const fileFormats = {
  text: format("", async () => (await import("../render/TextReport.ts")).renderText),
  json: format("", async () => reportJson),
  markdown: format("", async () => {
    const [{ renderMarkdown }, { escapeMarkdown }, { gateNotes }] = await Promise.all([
      import("../../engine/report/MarkdownReport.ts"),
      import("../../engine/text/MarkupText.ts"),
      import("../gate/Gates.ts")
    ])
    return (report, { gate }) => {
      const notes = gateNotes(report, gate).map(({ text, title }) => `**${title}:** ${escapeMarkdown(text)}`)
      return renderMarkdown(report, { note: notes.join("\n\n") })
    }
  }),
  junit: format("test results", async () => (await import("../render/report/JUnit.ts")).renderJUnit),
  sarif: format("code scanning", async () => (await import("../render/report/ReportSarif.ts")).renderReportSarif),
  html: format("one file", async () => {
    const [{ renderHtml }, { gateNotes }] = await Promise.all([
      import("../../engine/report/html/HtmlReport.ts"),
      import("../gate/Gates.ts")
    ])
    return (report, { gate, words }) => renderHtml(report, { words, notes: gateNotes(report, gate) })
  })
}

export type FileFormat = keyof typeof fileFormats

export const FILE_FORMATS: ReadonlyArray<FileFormat> = Struct.keys(fileFormats)

/** Annotations are for a log. */
export const reportFormats = {
  ...fileFormats,
  github: format(
    "annotations and step summary",
    async () => (await import("../render/report/GithubAnnotations.ts")).renderGithub
  )
} satisfies Readonly<Record<string, Format>>

/** `both`: Markdown and JSON. */
export const REPORT_FORMATS = [...Struct.keys(reportFormats), "both"] as const

export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** The formats and what they are for, as the help lists them. */
export const FORMATS_TEXT = Object.entries(reportFormats)
  .map(([name, { about }]) => (about === "" ? name : `${name} (${about})`))
  .join(", ")
