import { signed } from "../../engine/plugin/Wording.ts"
import { escapeMarkdown, markdownTable } from "../../engine/text/MarkupText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import type { RescoredRun } from "../../engine/audit/compare/Rescore.ts"
import { type RescoreSummary, SHOWN } from "../../engine/audit/compare/RescoreTally.ts"
import type { Promotion } from "../../engine/audit/compare/CriterionChange.ts"
import { type AuditReport, rubricName } from "../../engine/audit/Report.ts"
import { changedRun, type RescoreTable, type RescoreView, rescoreView } from "./RescoreView.ts"
import { sectionsText } from "./Style.ts"

const safe = (text: string, longest?: number): string => escapeMarkdown(plainText(text, longest))

/** A condition in a table cell: a vertical bar would end the cell. */
const code = (text: string): string => `\`${text.replaceAll("`", "'").replaceAll("|", "\\|")}\``

/** Reasons that are shown at most. */
const REASONS = 40

/** For a pull request: short enough for a comment, whatever the number of runs. */
export const renderRescoreMarkdown = (
  summary: RescoreSummary,
  rubric: AuditReport["rubric"],
  promotion: Promotion | null
): string => {
  const view = rescoreView(summary, promotion)
  return sectionsText([
    [`### How ${escapeMarkdown(rubricName(rubric))} changes the scores of recorded sites`, "", totals(view)],
    view.promotion === "" ? [] : [escapeMarkdown(view.promotion)],
    view.scores.rows.length === 0 ? [] : [...tableOf(view.scores), "", view.ranks.map(escapeLine).join(" ")],
    titled("Verdicts that change", view.verdicts.map(listed)),
    distribution(summary),
    criteria(summary),
    titled("Largest changes", largest(view)),
    titled("Why", why(view)),
    titled(
      "On trial",
      view.trials.rows.length === 0 ? [] : [...tableOf(view.trials), "", ...view.trialLines.map(listed)]
    ),
    allCriteria(summary),
    moved(summary),
    incomparable(view)
  ])
}

const titled = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [`#### ${title}`, "", ...lines]

const escapeLine = (line: string): string => escapeMarkdown(line)

const listed = (line: string): string => `- ${escapeMarkdown(line)}`

const totals = ({ concerned, incomparable, summary, unchanged }: RescoreView): string => {
  const { lowered, notComparable, raised, replayed, rescored } = summary
  return [
    `**${rescored}** ${rescored === 1 ? "run" : "runs"} rescored: **${raised}** rise, **${lowered}** fall, ${unchanged} unchanged.`,
    ...(replayed === 0 ? [] : [`${replayed} measured again from their archives.`]),
    ...(notComparable === 0 ? [] : [escapeMarkdown(incomparable)]),
    escapeMarkdown(concerned)
  ]
    .filter((sentence) => sentence !== "")
    .join(" ")
}

const tableOf = ({ header, rows }: RescoreTable): ReadonlyArray<string> =>
  markdownTable(
    header.map(escapeLine),
    rows.map((row) => row.map(escapeLine))
  )

const distribution = ({ distribution }: RescoreSummary): ReadonlyArray<string> =>
  distribution.length === 0
    ? []
    : markdownTable(
        ["Change", ...distribution.map(({ change }) => signed(change))],
        [["Runs", ...distribution.map(({ runs }) => String(runs))]]
      )

const criteria = ({ criteria }: RescoreSummary): ReadonlyArray<string> =>
  criteria.length === 0
    ? ["No criterion changes."]
    : markdownTable(
        ["Criterion", "Up", "Down", "Points"],
        criteria.map(({ id, lowered, points, raised, title }) => [
          `${id} ${safe(title, 80)}`,
          String(raised),
          String(lowered),
          signed(points)
        ])
      )

const largest = ({ largest: runs }: RescoreView): ReadonlyArray<string> =>
  runs.length === 0
    ? []
    : markdownTable(
        ["Site", "Score", "Criteria"],
        runs.map(({ change, moves, run: { after, before, reliable, site } }) => [
          `${safe(site)}${reliable ? "" : " (not reliable)"}`,
          `${before.score} → ${after.score} **${signed(change)}**`,
          moves
        ])
      )

const why = ({ reasons }: RescoreView): ReadonlyArray<string> => {
  if (reasons.length === 0) return []
  const rows = reasons
    .slice(0, REASONS)
    .map(({ clauses, id, points, sites, title }) => [
      `${id} ${safe(title, 80)} ${points}`,
      clauses(code).map(reasonText).join("<br>"),
      escapeMarkdown(sites)
    ])
  const rest = reasons.length > REASONS ? [`The first ${REASONS} of ${reasons.length} reasons.`, ""] : []
  return [...rest, ...markdownTable(["Criterion", "Why", "Runs"], rows)]
}

/** Escapes a reason, except for its condition, which is already marked as code. */
const reasonText = (reason: string): string =>
  plainText(reason, 1_000)
    .split("`")
    .map((part, index) => (index % 2 === 1 ? `\`${part}\`` : escapeMarkdown(part)))
    .join("")

const folded = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => [
  "<details>",
  `<summary>${title}</summary>`,
  "",
  ...lines,
  "",
  "</details>"
]

/** Also those that stay: a change that was meant to move a criterion shows here where it doesn't. */
const allCriteria = ({ statuses }: RescoreSummary): ReadonlyArray<string> => {
  if (statuses.length === 0) return []
  const cell = (before: number, after: number): string =>
    before === after ? String(after) : `${before} → **${after}**`
  const rows = statuses.map(({ after, before, id, title }) => [
    `${id} ${safe(title, 80)}`,
    ...STATUSES.map((status) => cell(before[status], after[status]))
  ])
  return folded("All criteria", markdownTable(["Criterion", "Present", "Partial", "Absent", "Inconclusive"], rows))
}

const STATUSES = ["present", "partial", "absent", "inconclusive"] as const

const moved = ({ lowered, moved, raised }: RescoreSummary): ReadonlyArray<string> => {
  if (moved.length === 0) return []
  const rest = raised + lowered > SHOWN ? [`The first ${SHOWN} of them.`, ""] : []
  return folded("All runs that change", [
    ...rest,
    ...markdownTable(["Site", "Date", "Before", "After", "Change", "Criteria"], moved.map(row))
  ])
}

const row = (scored: RescoredRun): ReadonlyArray<string> => {
  const { change, moves, run } = changedRun(scored)
  return [
    safe(run.site, 100),
    run.date,
    `${run.before.score} ${safe(run.before.verdict, 30)}`,
    `${run.after.score} ${safe(run.after.verdict, 30)}`,
    signed(change),
    moves
  ]
}

const incomparable = ({ incomparableRuns, summary: { notComparable } }: RescoreView): ReadonlyArray<string> => {
  if (incomparableRuns.rows.length === 0) return []
  const rest = notComparable > SHOWN ? [`The first ${SHOWN} of ${notComparable}.`, ""] : []
  return folded("Not comparable", [...rest, ...tableOf(incomparableRuns)])
}
