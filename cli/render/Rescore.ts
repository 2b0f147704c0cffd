import type { Promotion } from "../../engine/audit/compare/CriterionChange.ts"
import type { RescoreOutcome } from "../../engine/audit/compare/Rescore.ts"
import { changeOf, type ReasonGroup, type RescoreSummary } from "../../engine/audit/compare/RescoreTally.ts"
import { rubricName } from "../../engine/audit/RubricName.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { counted, signed } from "../../engine/plugin/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { renderRescoreMarkdown } from "./RescoreMarkdown.ts"
import {
  changeOfMove,
  concernedSentence,
  groupTable,
  promotionSentence,
  rankSentences,
  reasons,
  reasonSites,
  type RescoreTable,
  trialLines,
  trialTable,
  verdictLine
} from "./RescoreWords.ts"
import { block, type Style } from "./Style.ts"
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
  const { after, before, date, moves, reliable, replayed, site } = outcome
  const change = changeOf(outcome)
  const scores = `${String(before.score).padStart(3)} → ${String(after.score).padStart(3)}`
  const moved = moves.map((move) => `${move.id} ${signed(changeOfMove(move))}`).join(", ")
  return `${scores}  ${colourOf(style, change)(signed(change).padStart(4))}  ${plainText(site)}  ${style.dim(date)}${replayed ? style.dim(" replayed") : ""}${reliable ? "" : style.fair(" not reliable")}${moved === "" ? "" : `  ${moved}`}\n`
}

/** The summary of all runs: how many changed, how scores are spread, flips of verdicts, criteria and their reasons, and trials. */
const renderRescoreText = (summary: RescoreSummary, promotion: Promotion | null, options: TextOptions): string => {
  const sections = [
    totals(summary, options),
    promotion === null ? [] : block(promotionSentence(promotion), options.width, ""),
    groups(summary, options),
    verdicts(summary, options),
    distribution(summary, options),
    criteria(summary, options),
    largest(summary, options),
    why(summary, options),
    trials(summary, options)
  ]
  return `\n${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`
}

const totals = (summary: RescoreSummary, { style, width }: TextOptions): ReadonlyArray<string> => {
  const { lowered, notComparable, raised, replayed, rescored } = summary
  return [
    style.bold(
      `${counted(rescored, "run")} rescored: ${raised} rise, ${lowered} fall, ${rescored - raised - lowered} unchanged`
    ),
    ...(replayed === 0 ? [] : [`  ${replayed} from their archives`]),
    ...(notComparable === 0 ? [] : [style.fair(`  ${notComparable} not comparable`)]),
    ...block(concernedSentence(summary), width, "  ")
  ]
}

/** Columns as wide as their longest cell; numbers are short, so the first column alone is aligned to the left. */
const tableLines = ({ header, rows }: RescoreTable): ReadonlyArray<string> => {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)))
  return [header, ...rows].map((row) =>
    `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  ")}`.trimEnd()
  )
}

const groups = (summary: RescoreSummary, { style }: TextOptions): ReadonlyArray<string> =>
  summary.groups.length === 0
    ? []
    : [
        style.bold("Scores"),
        ...tableLines(groupTable(summary)),
        ...rankSentences(summary).map((sentence) => `  ${sentence}`)
      ]

const verdicts = ({ verdicts }: RescoreSummary, { style, width }: TextOptions): ReadonlyArray<string> =>
  verdicts.length === 0
    ? []
    : [style.bold("Verdicts that change"), ...verdicts.flatMap((verdict) => block(verdictLine(verdict), width, "  "))]

const distribution = ({ distribution }: RescoreSummary, { style }: TextOptions): ReadonlyArray<string> => {
  if (distribution.length === 0) return []
  const most = Math.max(...distribution.map(({ runs }) => runs))
  return [
    style.bold("Changes"),
    ...distribution.map(
      ({ change, runs }) =>
        `  ${signed(change).padStart(4)}  ${colourOf(style, change)("█".repeat(Math.max(1, Math.round((runs / most) * BAR))))} ${runs}`
    )
  ]
}

const criteria = ({ criteria }: RescoreSummary, { style }: TextOptions): ReadonlyArray<string> =>
  criteria.length === 0
    ? []
    : [
        style.bold("Changed criteria"),
        ...criteria.map(
          ({ id, lowered, points, raised, title }) =>
            `  ${id} ${plainText(title, 60)}  ${style.good(`${raised} up`)}, ${style.poor(`${lowered} down`)}, ${signed(points)} points`
        )
      ]

const largest = ({ largest }: RescoreSummary, { style }: TextOptions): ReadonlyArray<string> =>
  largest.length === 0
    ? []
    : [
        style.bold("Largest changes"),
        ...largest.map(
          (run) =>
            `  ${style.bold(plainText(run.site))}  ${run.before.score} → ${run.after.score} ${colourOf(style, changeOf(run))(signed(changeOf(run)))}${run.reliable ? "" : style.fair(" not reliable")}  ${run.moves.map((move) => `${move.id} ${signed(changeOfMove(move))}`).join(", ")}`
        )
      ]

/** Each reason once, however many runs it moves. */
const why = ({ reasons: groups }: RescoreSummary, options: TextOptions): ReadonlyArray<string> =>
  groups.length === 0
    ? []
    : [
        options.style.bold("Why"),
        ...groups.slice(0, REASONS).flatMap((group) => reasonLines(group, options)),
        ...(groups.length > REASONS ? [`  The first ${REASONS} of ${groups.length} reasons.`] : [])
      ]

const reasonLines = (group: ReasonGroup, { style, width }: TextOptions): ReadonlyArray<string> => {
  const { move, sameFacts } = group
  return [
    `  ${move.id} ${plainText(move.title, 60)}  ${signed(changeOfMove(move))}`,
    ...reasons(sameFacts ? move : { ...move, facts: {} }, (condition) => condition).flatMap((reason) =>
      block(plainText(reason, 2_000), width, "     ").map(style.dim)
    ),
    ...block(reasonSites(group), width, "     ")
  ]
}

const trials = (summary: RescoreSummary, { style, width }: TextOptions): ReadonlyArray<string> =>
  summary.trials.length === 0
    ? []
    : [
        style.bold("On trial: measured, and earning nothing"),
        ...tableLines(trialTable(summary)),
        ...summary.trials.flatMap(trialLines).flatMap((line) => block(line, width, "  "))
      ]
