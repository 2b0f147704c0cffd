import { escapeMarkdown, markdownTable } from "../../engine/audit/MarkdownText.ts"
import { plainText } from "../../engine/audit/PlainText.ts"
import type { RescoredRun } from "../../engine/audit/Rescore.ts"
import { changeOf, type RescoreSummary, SHOWN } from "../../engine/audit/RescoreTally.ts"
import type { Rubric } from "../../engine/rubric/Rubric.ts"
import { changeOfMove, reasons, signed } from "./Change.ts"

const safe = (text: string, longest?: number): string => escapeMarkdown(plainText(text, longest))

/** A condition within a table: vertical bars would end the cell. */
const code = (text: string): string => `\`${text.replaceAll("`", "'").replaceAll("|", "\\|")}\``

/** For a pull request: short enough for a comment, however many runs there are. */
export const renderRescoreMarkdown = (summary: RescoreSummary, { id, version }: Rubric): string => {
  const sections = [
    [`### What ${safe(id)} ${version} does to recorded sites`, "", ...totals(summary)],
    distribution(summary),
    criteria(summary),
    largest(summary),
    moved(summary),
    incomparable(summary)
  ]
  return `${sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n")).join("\n\n")}\n`
}

const totals = ({ lowered, meanChange, notComparable, raised, replayed, rescored, verdicts }: RescoreSummary): ReadonlyArray<string> => {
  const sentences = [
    `**${rescored}** ${rescored === 1 ? "run" : "runs"} judged again: **${raised}** rise, **${lowered}** fall, ${rescored - raised - lowered} stay; ${signed(meanChange)} points on average.`,
    ...(replayed === 0 ? [] : [`${replayed} were measured again from their archives.`]),
    ...(notComparable === 0 ? [] : [`${notComparable} cannot be compared.`]),
    ...verdicts.map(({ from, runs, to }) => `${safe(from, 40)} → ${safe(to, 40)}: ${runs}.`)
  ]
  return [sentences.join(" ")]
}

const distribution = ({ distribution }: RescoreSummary): ReadonlyArray<string> =>
  distribution.length === 0 ? [] : markdownTable(["Change", ...distribution.map(({ change }) => signed(change))], [["Runs", ...distribution.map(({ runs }) => String(runs))]])

const criteria = ({ criteria }: RescoreSummary): ReadonlyArray<string> =>
  criteria.length === 0
    ? ["No criterion moves."]
    : markdownTable(["Criterion", "Up", "Down", "Points"], criteria.map(({ id, lowered, points, raised, title }) => [`${id} ${safe(title, 80)}`, String(raised), String(lowered), signed(points)]))

const largest = ({ largest }: RescoreSummary): ReadonlyArray<string> => {
  if (largest.length === 0) return []
  const rows = largest.flatMap((run) => run.moves.map((move, index) => [
    index === 0 ? `${safe(run.site)} ${run.before.score} → ${run.after.score} **${signed(changeOf(run))}**` : "",
    `${move.id} ${signed(changeOfMove(move))}`,
    reasons(move, code).map((reason) => reasonText(reason)).join("<br>")
  ]))
  return ["#### Largest changes", "", ...markdownTable(["Site", "Criterion", "Why"], rows)]
}

/** A reason with its condition already marked as code: that stays, the rest is escaped. */
const reasonText = (reason: string): string =>
  plainText(reason, 1_000).split("`").map((part, index) => (index % 2 === 1 ? `\`${part}\`` : escapeMarkdown(part))).join("")

const folded = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => ["<details>", `<summary>${title}</summary>`, "", ...lines, "", "</details>"]

const moved = ({ lowered, moved, raised }: RescoreSummary): ReadonlyArray<string> => {
  if (moved.length === 0) return []
  const rest = raised + lowered > SHOWN ? [`The first ${SHOWN} of them.`, ""] : []
  return folded("All runs that move", [...rest, ...markdownTable(["Site", "Date", "Before", "After", "Change", "Criteria"], moved.map(row))])
}

const row = (run: RescoredRun): ReadonlyArray<string> => [
  safe(run.site, 100),
  run.date,
  `${run.before.score} ${safe(run.before.verdict, 30)}`,
  `${run.after.score} ${safe(run.after.verdict, 30)}`,
  signed(changeOf(run)),
  run.moves.map((move) => `${move.id} ${signed(changeOfMove(move))}`).join(", ")
]

const incomparable = ({ incomparable, notComparable }: RescoreSummary): ReadonlyArray<string> => {
  if (incomparable.length === 0) return []
  const rest = notComparable > SHOWN ? [`The first ${SHOWN} of ${notComparable}.`, ""] : []
  return folded("Not comparable", [...rest, ...markdownTable(["Run", "Why"], incomparable.map(({ name, reason, site }) => [safe(site ?? name, 100), safe(reason, 200)]))])
}
