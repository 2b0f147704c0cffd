import { signed } from "../../engine/criterion/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import type { RescoredRun, RescoreOutcome } from "../../engine/audit/compare/Rescore.ts"
import { changeOf, type RescoreSummary } from "../../engine/audit/compare/RescoreTally.ts"
import { counted } from "../../engine/criterion/Wording.ts"
import { changeOfMove, reasons } from "./Change.ts"
import type { Style } from "./Style.ts"
import type { TextOptions } from "./TextReport.ts"
import { block } from "./Wrap.ts"

/** Length of the longest bar of the distribution, in columns. */
const BAR = 40

const colourOf = (style: Style, change: number): Style["good"] => {
  if (change === 0) return style.dim
  return change > 0 ? style.good : style.poor
}

/** One run: the score before and after, and which criteria changed. */
export const renderRescoredLine = (outcome: RescoreOutcome, { style }: TextOptions): string => {
  if (outcome._tag === "NotComparable") {
    return `${style.fair(`${"–".padStart(10)}  not comparable`)}  ${plainText(outcome.site ?? outcome.name)}: ${plainText(outcome.reason)}\n`
  }
  const { after, before, date, moves, reliable, replayed, site } = outcome
  const change = changeOf(outcome)
  const scores = `${String(before.score).padStart(3)} → ${String(after.score).padStart(3)}`
  const moved = moves.map((move) => `${move.id} ${signed(changeOfMove(move))}`).join(", ")
  return `${scores}  ${colourOf(style, change)(signed(change).padStart(4))}  ${plainText(site)}  ${style.dim(date)}${replayed ? style.dim(" replayed") : ""}${reliable ? "" : style.fair(" not reliable")}${moved === "" ? "" : `  ${moved}`}\n`
}

/** The summary of all runs: how many changed, the distribution, the criteria, and the runs that changed most with the reasons. */
export const renderRescoreText = (summary: RescoreSummary, options: TextOptions): string => {
  const sections = [
    totals(summary, options),
    distribution(summary, options),
    criteria(summary, options),
    largest(summary, options)
  ]
  return `\n${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`
}

const totals = (
  { lowered, meanChange, notComparable, raised, replayed, rescored, verdicts }: RescoreSummary,
  { style }: TextOptions
): ReadonlyArray<string> => [
  style.bold(
    `${counted(rescored, "run")} rescored: ${raised} rise, ${lowered} fall, ${rescored - raised - lowered} unchanged; ${signed(meanChange)} points on average`
  ),
  ...(replayed === 0 ? [] : [`  ${replayed} from their archives`]),
  ...(notComparable === 0 ? [] : [style.fair(`  ${notComparable} not comparable`)]),
  ...verdicts.map(({ from, runs, to }) => `  ${plainText(from, 40)} → ${plainText(to, 40)}: ${runs}`)
]

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

const largest = ({ largest }: RescoreSummary, options: TextOptions): ReadonlyArray<string> =>
  largest.length === 0 ? [] : [options.style.bold("Largest changes"), ...largest.flatMap((run) => why(run, options))]

const why = (run: RescoredRun, { style, width }: TextOptions): ReadonlyArray<string> => [
  `  ${style.bold(plainText(run.site))}  ${run.before.score} → ${run.after.score} ${colourOf(style, changeOf(run))(signed(changeOf(run)))}${run.reliable ? "" : style.fair(" not reliable")}`,
  ...run.moves.flatMap((move) => [
    `    ${move.id} ${plainText(move.title, 60)}  ${signed(changeOfMove(move))}`,
    ...reasons(move, (condition) => condition).flatMap((reason) =>
      block(plainText(reason, 2_000), width, "       ").map(style.dim)
    )
  ])
]
