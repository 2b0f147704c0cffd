import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { renderMarkdown } from "../engine/audit/MarkdownReport.ts"
import { type AuditReport, encodeReport } from "../engine/audit/Report.ts"
import { type CliFailure, wrongUsage } from "./CliFailure.ts"
import { plain } from "./render/Style.ts"
import { renderText } from "./render/TextReport.ts"
import { writeOut } from "./Stdout.ts"
import { outputStyle, terminalWidth } from "./Terminal.ts"

export interface PrintOptions {
  readonly format: "text" | "json" | "markdown" | "both"
  readonly output: Option.Option<string>
  readonly noColor: boolean
}

/** Columns of a text report that goes to a file. */
const FILE_WIDTH = 100

/** Prints the report, or writes it to the file or, for `both`, the two files that `--output` names. */
export const printReport = Effect.fn("printReport")(function*(
  report: AuditReport,
  { format, noColor, output }: PrintOptions
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem> {
  const target = Option.getOrNull(output)
  if (format === "both") {
    if (target === null) {
      yield* writeOut(encodeReport(report))
      return yield* Console.error(renderMarkdown(report).trimEnd())
    }
    yield* write(`${target}.json`, encodeReport(report))
    return yield* write(`${target}.md`, renderMarkdown(report))
  }
  const style = target === null ? outputStyle(noColor) : plain
  const text = format === "json"
    ? encodeReport(report)
    : format === "markdown" ? renderMarkdown(report) : renderText(report, { width: target === null ? terminalWidth() : FILE_WIDTH, style })
  yield* target === null ? writeOut(text) : write(target, text)
})

const write = Effect.fnUntraced(function*(path: string, text: string) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.mapError(files.writeFileString(path, text), () => wrongUsage(`${path} cannot be written.`))
})
