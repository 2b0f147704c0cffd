import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import type { GateResult } from "../gate/Gates.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { FILE_FORMATS, type FileFormat } from "./ReportFormats.ts"
import type { AuditFlags } from "./AuditFlags.ts"
import { reportFiles, printReport, type PrintOptions } from "./PrintReport.ts"

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

/** Writes the report in further formats. */
export const writeFurther = Effect.fnUntraced(function* (
  report: AuditReport,
  gate: GateResult,
  further: ReadonlyArray<FurtherReport>,
  options: Omit<PrintOptions, "format" | "output">
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem> {
  for (const { format, path } of further)
    yield* printReport(report, gate, { ...options, format, output: Option.some(path) })
})
