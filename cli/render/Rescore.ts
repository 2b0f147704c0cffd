import type { Promotion } from "../../engine/audit/compare/CriterionChange.ts"
import type { RescoreOutcome } from "../../engine/audit/compare/Rescore.ts"
import type { RescoreSummary } from "../../engine/audit/compare/RescoreTally.ts"
import { type AuditReport, rubricName } from "../../engine/audit/Report.ts"
import { counted, signed } from "../../engine/plugin/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { renderRescoreMarkdown } from "./RescoreMarkdown.ts"
import { changedRun, type RescoreTable, type RescoreView, rescoreView } from "./RescoreView.ts"
import { block, sectionsText, type Style } from "./Style.ts"
import type { TextOptions } from "./TextReport.ts"

export interface RescoreFormat extends TextOptions {
  readonly format: "text" | "markdown" | "json"
  /** Criteria on trial that are judged as if they earned points; `null`: none. */
  readonly promotion: Promotion | null
}

/** Writes the results of `rescore` as they come. */
interface RescoreWriter {
  readonly begin: string
  /** Empty if the format lists runs in the summary only. */
  readonly run: (outcome: RescoreOutcome) => string
  readonly end: (summary: RescoreSummary) => string
}

export const rescoreWriter = (
  rubric: AuditReport["rubric"],
  { format, promotion, ...options }: RescoreFormat
): RescoreWriter => {
  switch (format) {
    case "text":
      return {
        begin: `${options.style.bold(`Judged by ${rubricName(rubric)}`)}\n\n`,
        run: (outcome) => renderRescoredLine(outcome, options),
        end: (summary) => renderRescoreText(summary, promotion, options)
      }
    case "markdown":
      return { begin: "", run: () => "", end: (summary) => renderRescoreMarkdown(summary, rubric, promotion) }
    case "json":
      return jsonWriter(rubric, promotion)
  }
}

/** One JSON document, with one run per line. */
const jsonWriter = (rubric: AuditReport["rubric"], promotion: Promotion | null): RescoreWriter => {
  let first = true
  return {
    begin: `{"rubric":${JSON.stringify(rubric)},${promotion === null ? "" : `"promotion":${JSON.stringify(promotion)},`}"runs":[`,
    run: (outcome) => {
      const separator = first ? "\n" : ",\n"
      first = false
      return separator + JSON.stringify(outcome)
    },
    // The runs were written before; JSON omits undefined members.
    end: (summary) =>
      `\n],"summary":${JSON.stringify({ ...summary, largest: summary.largest.map(({ name }) => name), moved: undefined, incomparable: undefined })}}\n`
  }
}

/** Reasons that are shown at most. */
const REASONS = 30

/** Length of the longest bar of the distribution, in columns. */
const BAR = 40

const colourOf = (style: Style, change: number): Style["good"] => {
  if (change === 0) return style.dim
  return change > 0 ? style.good : style.poor
}

/** One run: the score before and after, and which criteria changed. */
const renderRescoredLine = (outcome: RescoreOutcome, { style }: TextOptions): string => {
  if (outcome._tag === "NotComparable") {
    return `${style.fair(`${"–".padStart(10)}  not comparable`)}  ${plainText(outcome.site ?? outcome.name)}: ${plainText(outcome.reason)}\n`
  }
  const { after, before, date, reliable, replayed, site } = outcome
  const { change, moves } = changedRun(outcome)
  const scores = `${String(before.score).padStart(3)} → ${String(after.score).padStart(3)}`
  return `${scores}  ${colourOf(style, change)(signed(change).padStart(4))}  ${plainText(site)}  ${style.dim(date)}${replayed ? style.dim(" replayed") : ""}${reliable ? "" : style.fair(" not reliable")}${moves === "" ? "" : `  ${moves}`}\n`
}

/** The summary of all runs: how many changed, how scores are spread, flips of verdicts, criteria and their reasons, and trials. */
const renderRescoreText = (summary: RescoreSummary, promotion: Promotion | null, options: TextOptions): string => {
  const { style, width } = options
  const { notComparable, replayed, rescored } = summary
  const view = rescoreView(summary, promotion)
  const titled = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    lines.length === 0 ? [] : [style.bold(title), ...lines]
  return `\n${sectionsText([
    [
      style.bold(
        `${counted(rescored, "run")} rescored: ${summary.raised} rise, ${summary.lowered} fall, ${view.unchanged} unchanged`
      ),
      ...(replayed === 0 ? [] : [`  ${replayed} from their archives`]),
      ...(notComparable === 0 ? [] : [style.fair(`  ${notComparable} not comparable`)]),
      ...block(view.concerned, width, "  ")
    ],
    block(view.promotion, width, ""),
    titled("Scores", [...tableLines(view.scores), ...view.ranks.map((sentence) => `  ${sentence}`)]),
    titled(
      "Verdicts that change",
      view.verdicts.flatMap((verdict) => block(verdict, width, "  "))
    ),
    titled("Changes", distribution(summary, style)),
    titled(
      "Changed criteria",
      summary.criteria.map(
        ({ id, lowered, points, raised, title }) =>
          `  ${id} ${plainText(title, 60)}  ${style.good(`${raised} up`)}, ${style.poor(`${lowered} down`)}, ${signed(points)} points`
      )
    ),
    titled(
      "Largest changes",
      view.largest.map(
        ({ change, moves, run: { after, before, reliable, site } }) =>
          `  ${style.bold(plainText(site))}  ${before.score} → ${after.score} ${colourOf(style, change)(signed(change))}${reliable ? "" : style.fair(" not reliable")}  ${moves}`
      )
    ),
    titled("Why", why(view, options)),
    titled("On trial: measured, and earning nothing", [
      ...tableLines(view.trials),
      ...view.trialLines.flatMap((line) => block(line, width, "  "))
    ])
  ])}`
}

/** Columns as wide as their longest cell; numbers are short, so the first column alone is aligned to the left. */
const tableLines = ({ header, rows }: RescoreTable): ReadonlyArray<string> => {
  if (rows.length === 0) return []
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)))
  return [header, ...rows].map((row) =>
    `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  ")}`.trimEnd()
  )
}

const distribution = ({ distribution: changes }: RescoreSummary, style: Style): ReadonlyArray<string> => {
  const most = Math.max(...changes.map(({ runs }) => runs))
  return changes.map(
    ({ change, runs }) =>
      `  ${signed(change).padStart(4)}  ${colourOf(style, change)("█".repeat(Math.max(1, Math.round((runs / most) * BAR))))} ${runs}`
  )
}

const why = ({ reasons }: RescoreView, { style, width }: TextOptions): ReadonlyArray<string> => [
  ...reasons
    .slice(0, REASONS)
    .flatMap(({ clauses, id, points, sites, title }) => [
      `  ${id} ${plainText(title, 60)}  ${points}`,
      ...clauses((condition) => condition).flatMap((clause) =>
        block(plainText(clause, 2_000), width, "     ").map(style.dim)
      ),
      ...block(sites, width, "     ")
    ]),
  ...(reasons.length > REASONS ? [`  The first ${REASONS} of ${reasons.length} reasons.`] : [])
]
