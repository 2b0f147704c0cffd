import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Argument, Command } from "effect/cli"
import { compareReports, ForeignReport } from "../../engine/audit/compare/Compare.ts"
import { AuditReport } from "../../engine/audit/Report.ts"
import { differInRubric, inOrderOfTime, rubricShift } from "../../engine/audit/compare/RubricShift.ts"
import { StoredReport } from "../../engine/audit/StoredRun.ts"
import { allowPlugins, formatFlag, noColor, optionalText } from "../io/Flags.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { readJsonFile } from "../io/JsonFile.ts"
import { renderComparisonMarkdown, renderComparisonText } from "../render/Comparison.ts"
import { type RubricChangeBetween, renderShiftMarkdown, renderShiftText } from "../render/RubricShift.ts"
import { readRubric } from "../io/Rubrics.ts"
import { outputStyle, terminalWidth } from "../render/Terminal.ts"

export const compare = Command.make(
  "compare",
  {
    ours: Argument.String("ours").pipe(Argument.withDescription("A report written by docgauge (JSON)")),
    theirs: Argument.String("theirs").pipe(
      Argument.withDescription(
        "The report to compare it with: an earlier one, or one that a model or another tool wrote in the same format (JSON)"
      )
    ),
    rubric: optionalText(
      "rubric",
      "FILE",
      "The newer rubric, if the two reports used different versions. --rubric rubric.yaml"
    ),
    allowPlugins,
    format: formatFlag(["text", "markdown", "json"], "Output format. --format markdown"),
    noColor
  },
  Effect.fn("compare")(function* ({ allowPlugins, format, noColor, ours, rubric, theirs }) {
    const report = yield* readJsonFile(ours, AuditReport, "a docgauge report in JSON")
    const other = yield* readJsonFile(theirs, Schema.Unknown, "an audit report in JSON")
    const foreign = yield* Effect.mapError(Schema.decodeUnknownEffect(ForeignReport)(other), () =>
      wrongUsage(`${theirs} is not an audit report in JSON with base_url, total_score and criteria.`)
    )
    const comparison = compareReports(report, foreign)
    const change = yield* rubricChange(
      report,
      Option.getOrNull(Schema.decodeUnknownOption(StoredReport)(other)),
      readRubric(rubric, allowPlugins)
    )
    const options = { width: terminalWidth(), style: outputStyle(noColor) }
    if (format === "json") return yield* Console.log(JSON.stringify({ ...comparison, rubrics: change }, null, 2))
    yield* Console.log(
      format === "markdown"
        ? [renderComparisonMarkdown(comparison), ...(change === null ? [] : renderShiftMarkdown(change))]
            .join("\n")
            .trimEnd()
        : [renderComparisonText(comparison, options), ...(change === null ? [] : renderShiftText(change, options))]
            .join("\n")
            .trimEnd()
    )
  })
).pipe(
  Command.withShortDescription("Compare two reports of a site criterion by criterion"),
  Command.withDescription(
    "Compare two reports of a site criterion by criterion, with the evidence for each difference"
  ),
  Command.withExamples([
    { command: "docgauge compare ours.json model.json", description: "Compare a model's audit with ours" },
    {
      command: "docgauge compare before.json after.json --rubric rubric.yaml",
      description: "What did the site change, and what did the rubric?"
    }
  ])
)

/** What the change of rubric explains, if both reports are ours and their rubrics differ; `null` otherwise. */
const rubricChange = Effect.fnUntraced(function* (
  ours: StoredReport,
  theirs: StoredReport | null,
  newerRubric: ReturnType<typeof readRubric>
): Effect.fn.Return<RubricChangeBetween | null, CliFailure, FileSystem.FileSystem> {
  if (theirs === null || !differInRubric(ours, theirs)) return null
  const [older, newer] = inOrderOfTime(ours, theirs)
  return { from: older.rubric, to: newer.rubric, shift: rubricShift(older, newer, yield* newerRubric) }
})
