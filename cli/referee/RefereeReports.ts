import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { dirname, join } from "node:path"
import { AuditReport } from "../../engine/audit/Report.ts"
import { referee, type RefereeResult } from "../../engine/referee/Referee.ts"
import { loadReferee, type RefereeBook } from "../../engine/referee/RefereeBook.ts"
import { readToolReport, type ToolReport } from "../../engine/referee/ToolReports.ts"
import { OWN_RUBRIC } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { outputStyle, terminalWidth } from "../render/Style.ts"
import { renderRefereeMarkdown } from "./RefereeMarkdown.ts"
import { renderRefereeText } from "./RefereeText.ts"

/** The tools that come with docgauge, beside its rubric. A file of our own that cannot be read is a defect. */
const ownReferee: Effect.Effect<RefereeBook, never, FileSystem.FileSystem> = Effect.gen(function* () {
  const path = join(dirname(OWN_RUBRIC.file), "referee.yaml")
  const files = yield* FileSystem.FileSystem
  return yield* Effect.flatMap(files.readFile(path), (bytes) => loadReferee(bytes, path, plugins))
}).pipe(Effect.orDie)

interface ForeignFile {
  readonly file: string
  readonly report: unknown
}

/** Holds reports of other tools against ours; fails at the first that is of no tool we know. */
export const refereeFiles = Effect.fn("refereeFiles")(function* (
  ours: AuditReport,
  others: ReadonlyArray<ForeignFile>
): Effect.fn.Return<RefereeResult, CliFailure, FileSystem.FileSystem> {
  const book = yield* ownReferee
  const reports = yield* Effect.forEach(others, (other) => {
    const read = readToolReport(other.report, book)
    return "unlike" in read ? Effect.fail(notRead(other, read.unlike, book)) : Effect.succeed(read)
  })
  return referee(ours, reports, book)
})

const isReport = Schema.is(AuditReport)

const notRead = (
  { file, report }: ForeignFile,
  unlike: ToolReport["tool"] | null,
  { tools }: RefereeBook
): CliFailure =>
  wrongUsage(
    unlike === null
      ? isReport(report)
        ? `${file} is a report in docgauge's own shape. To compare it with another, run: docgauge compare OURS.json ${file}`
        : `${file} is neither an audit report with base_url, total_score and criteria, nor one of a tool that docgauge knows: ${tools.map(({ title }) => title).join(", ")}.`
      : `${file} looks like a report of ${unlike.title}, but has another shape than that of ${unlike.version}. Get it with: ${unlike.report}`
  )

/** Prints what came of it in the format that was asked for. */
export const printReferee = (result: RefereeResult, format: "text" | "markdown" | "json", noColor: boolean) => {
  if (format === "json") return Console.log(JSON.stringify(result, null, 2))
  const text =
    format === "markdown"
      ? renderRefereeMarkdown(result)
      : renderRefereeText(result, { width: terminalWidth(), style: outputStyle(noColor) })
  return Console.log(text.trimEnd())
}
