import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { resolve } from "node:path"
import process from "node:process"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import type { RubricWords } from "../../engine/report/ReportView.ts"
import type { GateResult } from "../gate/Gates.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { writeOut } from "../io/Stdout.ts"
import { writeTextFile } from "../io/Files.ts"
import { outputStyle, plain, terminalWidth } from "../render/Style.ts"
import type { AnnotationRoom } from "../render/report/GithubAnnotations.ts"
import type { TextOptions } from "../render/TextReport.ts"
import type { AuditFlags } from "./AuditFlags.ts"
import {
  FILE_FORMATS,
  type FileFormat,
  type RenderOptions,
  type ReportFormat,
  reportFormats,
  reportJson
} from "./ReportFormats.ts"

interface PrintOptions {
  readonly format: ReportFormat
  readonly output: Option.Option<string>
  /** The rubric of the audit, if it is not the built-in one. */
  readonly rubric: Option.Option<string>
  readonly noColor: boolean
  /** How often it was given. */
  readonly verbose: number
  readonly room?: AnnotationRoom
}

export const FILE_SHAPE = { width: 100, style: plain } as const

/** Prints the report, or writes it to the file or, for `both`, the two files that `--output` names. */
export const printReport = Effect.fn("printReport")(function* (
  report: AuditReport,
  gate: GateResult,
  { format, noColor, output, room, rubric, verbose }: PrintOptions
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem> {
  const target = Option.getOrNull(output)
  if (format === "both") {
    const markdown = yield* formattedReport(report, gate, { format: "markdown", rubric })
    if (target === null) {
      yield* writeOut(reportJson(report), "json")
      return yield* Console.error(markdown.trimEnd())
    }
    const [jsonFile = target, markdownFile = target] = reportFiles(format, target)
    yield* writeTextFile(jsonFile, reportJson(report))
    return yield* writeTextFile(markdownFile, markdown)
  }
  const shape = target === null ? { width: terminalWidth(), style: outputStyle(noColor) } : FILE_SHAPE
  const detail = verbose === 0 ? {} : { detail: verbose === 1 ? ("findings" as const) : ("all" as const) }
  const text = yield* formattedReport(report, gate, {
    format,
    rubric,
    ...(room === undefined ? {} : { room }),
    ...detail,
    ...shape
  })
  yield* target === null ? writeOut(text, format) : writeTextFile(target, text)
  if (format === "github") yield* appendStepSummary(report, gate)
})

/** The files that `--output` names: two for `both`. */
const reportFiles = (format: ReportFormat, output: string): ReadonlyArray<string> => {
  const prefix = output.replace(/\.(?:json|md)$/i, "")
  return format === "both" ? [`${prefix}.json`, `${prefix}.md`] : [output]
}

/** The report in one format; text in the shape of a file unless another is given. */
export const formattedReport = Effect.fnUntraced(function* (
  report: AuditReport,
  gate: GateResult,
  {
    format,
    rubric,
    ...shape
  }: Pick<PrintOptions, "rubric"> & { readonly format: Exclude<ReportFormat, "both"> } & Partial<TextOptions> &
    Pick<RenderOptions, "room">
): Effect.fn.Return<string, CliFailure, FileSystem.FileSystem> {
  const render = yield* Effect.promise(reportFormats[format].load)
  const words = format === "html" ? yield* wordsOf(report, rubric) : NO_WORDS
  return render(report, { ...FILE_SHAPE, ...shape, gate, words })
})

const NO_WORDS: RubricWords = { verdicts: [], why: new Map() }

const wordsOf = Effect.fnUntraced(function* (report: AuditReport, rubric: Option.Option<string>) {
  const [{ readRubricAlone }, { OWN_RUBRIC }, { rubricWordsFor }] = yield* Effect.promise(() =>
    Promise.all([
      import("../io/Rubrics.ts"),
      import("../../engine/rubric/RubricFile.ts"),
      import("../../engine/report/ReportView.ts")
    ])
  )
  return rubricWordsFor((yield* readRubricAlone(Option.getOrElse(rubric, () => OWN_RUBRIC.file))).rubric, report)
})

/** GitHub shows what a step appends to this file on the page of its run. */
const appendStepSummary = Effect.fnUntraced(function* (report: AuditReport, gate: GateResult) {
  const path = process.env["GITHUB_STEP_SUMMARY"] ?? ""
  if (path === "") return
  const files = yield* FileSystem.FileSystem
  const markdown = yield* formattedReport(report, gate, { format: "markdown", rubric: Option.none() })
  yield* Effect.mapError(files.writeFileString(path, `${markdown}\n`, { flag: "a" }), () =>
    wrongUsage(`cannot write ${path}, which GITHUB_STEP_SUMMARY names.`)
  )
})

/** A further format of the report, and the file that `--write` names for it. */
export interface FurtherReport {
  readonly format: FileFormat
  readonly path: string
}

/** The values of `--write`: `json=reports/docgauge.json`. None may be a file of another, or of `--output`. */
export const furtherReports = (
  flags: Pick<AuditFlags, "write" | "format" | "output">
): Effect.Effect<ReadonlyArray<FurtherReport>, CliFailure> =>
  Effect.flatMap(Effect.forEach(flags.write, furtherReport), (reports) => {
    const output = Option.match(flags.output, {
      onNone: (): ReadonlyArray<string> => [],
      onSome: (path) => reportFiles(flags.format, path).map(fileKey)
    })
    const keys = reports.map(({ path }) => fileKey(path))
    const twice = reports.find((_, index) => keys.indexOf(keys[index] ?? "") !== index)
    if (twice !== undefined)
      return Effect.fail(wrongUsage(`--write names ${plainText(twice.path, 200)} twice. Name another file.`))
    const both = reports.find(({ path }) => output.includes(fileKey(path)))
    return both === undefined
      ? Effect.succeed(reports)
      : Effect.fail(wrongUsage(`--output and --write both name ${plainText(both.path, 200)}. Name another file.`))
  })

/** Some file systems do not tell upper from lower case. */
const fileKey = (path: string): string => resolve(path).toLowerCase()

const furtherReport = (text: string): Effect.Effect<FurtherReport, CliFailure> => {
  const equals = text.indexOf("=")
  const format = FILE_FORMATS.find((name) => name === text.slice(0, equals))
  const path = text.slice(equals + 1)
  return equals === -1 || format === undefined || path === ""
    ? Effect.fail(
        wrongUsage(
          `--write takes a format (${FILE_FORMATS.join(", ")}) and a file, as in: --write json=report.json, not "${plainText(text, 100)}".`
        )
      )
    : Effect.succeed({ format, path })
}

export const writeFurther = Effect.fnUntraced(function* (
  report: AuditReport,
  gate: GateResult,
  further: ReadonlyArray<FurtherReport>,
  options: Omit<PrintOptions, "format" | "output">
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem> {
  for (const { format, path } of further)
    yield* printReport(report, gate, { ...options, format, output: Option.some(path) })
})
