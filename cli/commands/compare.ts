import { Argument, Command } from "effect/cli"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import {
  type ComparedCriterion,
  compareReports,
  type Comparison,
  ForeignReport
} from "../../engine/audit/compare/Compare.ts"
import {
  differInRubric,
  inOrderOfTime,
  type RubricShift,
  rubricShift,
  type Shift,
  type ShiftedCriterion
} from "../../engine/audit/compare/RubricShift.ts"
import { namesOfBoth } from "../../engine/audit/RubricName.ts"
import { AuditReport } from "../../engine/audit/Report.ts"
import { StoredReport } from "../../engine/audit/StoredRun.ts"
import { counted, scoreWords, signed } from "../../engine/plugin/Wording.ts"
import { siteFormOf } from "../../engine/evidence/Address.ts"
import { autolink, escapeMarkdown, markdownTable } from "../../engine/text/MarkdownText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { allowPlugins, formatFlag, noColor, optionalText } from "../io/Flags.ts"
import { readJsonFile } from "../io/Files.ts"
import { readRubric } from "../io/Rubrics.ts"
import { block, outputStyle, terminalWidth, wrap } from "../render/Style.ts"
import type { TextOptions } from "../render/TextReport.ts"

/** Maximum length of a printed URL, in characters. */
const LONGEST_ADDRESS = 300

const differences = (comparison: Comparison): ReadonlyArray<ComparedCriterion> =>
  comparison.criteria.filter(({ agrees, theirs }) => theirs !== null && !agrees)

const missing = (comparison: Comparison): ReadonlyArray<string> =>
  comparison.criteria.flatMap(({ id, theirs }) => (theirs === null ? [id] : []))

const score = (side: ComparedCriterion["theirs"], max: number): string =>
  side === null ? "–" : `${side.score}/${max} ${plainText(side.status, 20)}`

const totals = ({ agreements, ours, oursReliable, shared, theirs, theirsReliable }: Comparison): string =>
  `Ours ${scoreWords(ours, oursReliable)}, theirs ${scoreWords(theirs, theirsReliable)} (${theirs - ours >= 0 ? "+" : "−"}${Math.abs(theirs - ours)}); ${agreements} of ${shared} criteria agree.`

/** Whether the reports are of one site, whatever the spelling of its URL. */
const isOneSite = ({ baseUrl, theirBaseUrl }: Comparison): boolean =>
  baseUrl === theirBaseUrl ||
  (URL.canParse(baseUrl) && URL.canParse(theirBaseUrl) && siteFormOf(baseUrl) === siteFormOf(theirBaseUrl))

const bothUrls = ({ baseUrl, theirBaseUrl }: Comparison): string =>
  `${plainText(baseUrl, LONGEST_ADDRESS)} (ours) and ${plainText(theirBaseUrl, LONGEST_ADDRESS)} (theirs)`

/** Lines about criteria that only one report has. */
const gaps = (comparison: Comparison): ReadonlyArray<string> => [
  ...(missing(comparison).length === 0 ? [] : [`Only ours: ${missing(comparison).join(", ")}.`]),
  ...(comparison.unknown.length === 0
    ? []
    : [`Only theirs: ${comparison.unknown.map((id) => plainText(id, 20)).join(", ")}.`])
]

/** For a terminal: totals, then each difference with its finding. */
export const renderComparisonText = (comparison: Comparison, { style, width }: TextOptions): string => {
  const lines = differences(comparison).flatMap((criterion) => [
    `  ${style.bold(`${criterion.id} ${criterion.title}`)}  ours ${score({ ...criterion.ours, evidenceUrl: null, summary: null }, criterion.max)}  theirs ${score(criterion.theirs, criterion.max)}`,
    ...block(`Ours: ${criterion.summary}`, width, "     "),
    ...criterion.evidence.map(({ status, url }) =>
      style.dim(`       ${status ?? "no answer"} ${plainText(url, LONGEST_ADDRESS)}`)
    ),
    ...(criterion.theirs?.summary ? block(`Theirs: ${plainText(criterion.theirs.summary)}`, width, "     ") : [])
  ])
  return `${[style.bold(isOneSite(comparison) ? plainText(comparison.baseUrl, LONGEST_ADDRESS) : `Two sites: ${bothUrls(comparison)}`), totals(comparison), ...gaps(comparison).flatMap((line) => wrap(line, width)), ...(lines.length === 0 ? [] : ["", style.bold("Differences"), ...lines])].join("\n")}\n`
}

/** For a pull request or an agent. */
export const renderComparisonMarkdown = (comparison: Comparison): string => {
  const rows = comparison.criteria.map((criterion) => [
    escapeMarkdown(criterion.id),
    escapeMarkdown(criterion.title),
    escapeMarkdown(score({ ...criterion.ours, evidenceUrl: null, summary: null }, criterion.max)),
    escapeMarkdown(score(criterion.theirs, criterion.max)),
    criterion.theirs === null ? "" : criterion.agrees ? "yes" : "**no**",
    criterion.agrees
      ? ""
      : `${escapeMarkdown(criterion.summary)} ${autolink(criterion.evidence[0]?.url ?? comparison.baseUrl)}`
  ])
  return [
    isOneSite(comparison)
      ? `# Two audits of ${escapeMarkdown(comparison.baseUrl)}`
      : `# Two sites: ${escapeMarkdown(bothUrls(comparison))}`,
    "",
    totals(comparison),
    "",
    ...gaps(comparison).flatMap((line) => [escapeMarkdown(line), ""]),
    ...markdownTable(["Id", "Criterion", "Ours", "Theirs", "Agree", "Our finding"], rows),
    ""
  ].join("\n")
}

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
