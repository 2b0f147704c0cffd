import { Argument, Command } from "effect/cli"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { compareReports, ForeignReport } from "../../engine/audit/compare/Compare.ts"
import {
  differInRubric,
  inOrderOfTime,
  type RubricShift,
  rubricShift,
  type Shift,
  type ShiftedCriterion
} from "../../engine/audit/compare/RubricShift.ts"
import { AuditReport, namesOfBoth } from "../../engine/audit/Report.ts"
import { StoredReport } from "../../engine/audit/StoredRun.ts"
import { counted, signed } from "../../engine/plugin/Wording.ts"
import { escapeMarkdown, markdownTable } from "../../engine/text/MarkupText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { allowPlugins, formatFlag, noColor, optionalText } from "../io/Flags.ts"
import { readJsonFile } from "../io/Files.ts"
import { readRubric } from "../io/Rubrics.ts"
import { beforeAndAfter, renderComparisonMarkdown, renderComparisonText, TWO_AUDITORS } from "../render/Comparison.ts"
import { block, outputStyle, terminalWidth } from "../render/Style.ts"
import type { TextOptions } from "../render/TextReport.ts"

/** A comparison of two of our reports under different rubrics. */
interface RubricChangeBetween {
  readonly from: RubricShift["from"]
  readonly to: RubricShift["to"]
  /** `null` if the newer rubric is not available. */
  readonly shift: RubricShift | null
}

const headline = ({ from, shift, to }: RubricChangeBetween): ReadonlyArray<string> => {
  const differ = `The reports were judged by different rubrics: ${namesOfBoth(from, to).join(", then ")}.`
  if (shift === null)
    return [
      differ,
      "We can't tell changes of the site from changes of the rubric, because the newer rubric is unknown. Pass it with --rubric."
    ]
  return [differ, `${totalText(shift.total)}.`]
}

const totalText = ({ after, before, bySite, byRubric, rejudged }: Shift): string => {
  const scores = `From ${before} to ${after}`
  if (byRubric === null || bySite === null)
    return `${scores}; the table shows what the site changed, as far as that is known`
  return `${scores}: the rubric ${signed(byRubric)} (the older facts score ${rejudged} under the newer rubric), the site ${signed(bySite)}`
}

const isOfInterest = ({ bySite, byRubric }: ShiftedCriterion): boolean => byRubric !== 0 || bySite !== 0

const cell = (points: number | null): string => (points === null ? "?" : signed(points))

/** Which changes are due to the rubric and which to the site, for a terminal. */
const renderShiftText = (change: RubricChangeBetween, { style, width }: TextOptions): ReadonlyArray<string> => {
  const rows = (change.shift?.criteria ?? []).filter(isOfInterest)
  return [
    ...headline(change).flatMap((line) => block(line, width, "").map(style.fair)),
    ...(rows.length === 0 ? [] : [`  ${style.dim("rubric  site")}`]),
    ...rows.map(
      ({ after, before, bySite, byRubric, id, reason, title }) =>
        `  ${cell(byRubric).padStart(6)}  ${cell(bySite).padStart(4)}  ${id} ${plainText(title, 60)}  ${before} → ${after}${reason === null ? "" : `  ${style.dim(reason)}`}`
    )
  ]
}

/** The same for a pull request. */
const renderShiftMarkdown = (change: RubricChangeBetween): ReadonlyArray<string> => {
  const rows = (change.shift?.criteria ?? []).filter(isOfInterest)
  const rest = (change.shift?.criteria.length ?? 0) - rows.length
  return [
    ...headline(change).map(escapeMarkdown),
    "",
    ...(rows.length === 0
      ? []
      : [
          ...markdownTable(
            ["Id", "Criterion", "Before", "By the rubric", "By the site", "After", ""],
            rows.map(({ after, before, bySite, byRubric, id, reason, title }) => [
              id,
              escapeMarkdown(plainText(title, 80)),
              String(before),
              cell(byRubric),
              cell(bySite),
              String(after),
              escapeMarkdown(reason ?? "")
            ])
          ),
          "",
          `${counted(rest, "criterion", "criteria")} as before.`,
          ""
        ])
  ]
}

export const compare = Command.make(
  "compare",
  {
    ours: Argument.String("ours").pipe(Argument.withDescription("A report written by docgauge (JSON)")),
    theirs: Argument.String("theirs").pipe(
      Argument.withDescription(
        "The report to compare it with (JSON): a later or an earlier one, one that a model wrote in the same format, or that of a tool that docgauge referee knows"
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
    const foreign = Schema.decodeUnknownOption(ForeignReport)(other)
    if (Option.isNone(foreign)) {
      const { printReferee, refereeFiles } = yield* Effect.promise(() => import("../referee/RefereeReports.ts"))
      const result = yield* refereeFiles(report, [{ file: theirs, report: other }])
      if (Option.isSome(rubric))
        return yield* wrongUsage(
          `--rubric is for two reports of docgauge, and ${theirs} is one of another tool. Leave it out.`
        )
      return yield* printReferee(result, format, noColor)
    }
    const own = Option.getOrNull(Schema.decodeUnknownOption(AuditReport)(other))
    const [before, after] = own === null ? [null, report] : inOrderOfTime(report, own)
    const comparison =
      before === null || format === "json" ? compareReports(report, foreign.value) : compareReports(after, before)
    const names = before === null ? TWO_AUDITORS : beforeAndAfter(before, after)
    const change = yield* rubricChange(
      report,
      Option.getOrNull(Schema.decodeUnknownOption(StoredReport)(other)),
      readRubric(rubric, allowPlugins)
    )
    const options = { width: terminalWidth(), style: outputStyle(noColor) }
    if (format === "json") return yield* Console.log(JSON.stringify({ ...comparison, rubrics: change }, null, 2))
    yield* Console.log(
      format === "markdown"
        ? [renderComparisonMarkdown(comparison, names), ...(change === null ? [] : renderShiftMarkdown(change))]
            .join("\n")
            .trimEnd()
        : [
            renderComparisonText(comparison, options, names),
            ...(change === null ? [] : renderShiftText(change, options))
          ]
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
