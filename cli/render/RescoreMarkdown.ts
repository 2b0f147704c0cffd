import { signed } from "../../engine/plugin/Wording.ts"
import { escapeMarkdown, markdownTable } from "../../engine/text/MarkdownText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import type { RescoredRun } from "../../engine/audit/compare/Rescore.ts"
import { changeOf, type RescoreSummary, SHOWN } from "../../engine/audit/compare/RescoreTally.ts"
import type { Promotion } from "../../engine/audit/compare/CriterionChange.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { rubricName } from "../../engine/audit/RubricName.ts"
import {
  changeOfMove,
  concernedSentence,
  groupTable,
  incomparableSentence,
  incomparableTable,
  promotionSentence,
  rankSentences,
  reasons,
  reasonSites,
  type RescoreTable,
  trialLines,
  trialTable,
  verdictLine
} from "./RescoreWords.ts"

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
  const sections = [
    [`### How ${escapeMarkdown(rubricName(rubric))} changes the scores of recorded sites`, "", ...totals(summary)],
    promotion === null ? [] : [escapeMarkdown(promotionSentence(promotion))],
    groups(summary),
    verdicts(summary),
    distribution(summary),
    criteria(summary),
    largest(summary),
    why(summary),
    trials(summary),
    allCriteria(summary),
    moved(summary),
    incomparable(summary)
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`
}

const totals = (summary: RescoreSummary): ReadonlyArray<string> => {
  const { lowered, notComparable, raised, replayed, rescored } = summary
  const sentences = [
    `**${rescored}** ${rescored === 1 ? "run" : "runs"} rescored: **${raised}** rise, **${lowered}** fall, ${rescored - raised - lowered} unchanged.`,
    ...(replayed === 0 ? [] : [`${replayed} measured again from their archives.`]),
    ...(notComparable === 0 ? [] : [escapeMarkdown(incomparableSentence(summary))]),
    escapeMarkdown(concernedSentence(summary))
  ]
  return [sentences.filter((sentence) => sentence !== "").join(" ")]
}

const tableOf = ({ header, rows }: RescoreTable): ReadonlyArray<string> =>
  markdownTable(
    header.map((cell) => escapeMarkdown(cell)),
    rows.map((row) => row.map((cell) => escapeMarkdown(cell)))
  )

const groups = (summary: RescoreSummary): ReadonlyArray<string> =>
  summary.groups.length === 0
    ? []
    : [
        ...tableOf(groupTable(summary)),
        "",
        rankSentences(summary)
          .map((sentence) => escapeMarkdown(sentence))
          .join(" ")
      ]

const verdicts = ({ verdicts }: RescoreSummary): ReadonlyArray<string> =>
  verdicts.length === 0
    ? []
    : ["#### Verdicts that change", "", ...verdicts.map((verdict) => `- ${escapeMarkdown(verdictLine(verdict))}`)]

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

const largest = ({ largest }: RescoreSummary): ReadonlyArray<string> =>
  largest.length === 0
    ? []
    : [
        "#### Largest changes",
        "",
        ...markdownTable(
          ["Site", "Score", "Criteria"],
          largest.map((run) => [
            `${safe(run.site)}${run.reliable ? "" : " (not reliable)"}`,
            `${run.before.score} → ${run.after.score} **${signed(changeOf(run))}**`,
            run.moves.map((move) => `${move.id} ${signed(changeOfMove(move))}`).join(", ")
          ])
        )
      ]

/** Each reason once, however many runs it moves. */
const why = ({ reasons: groups }: RescoreSummary): ReadonlyArray<string> => {
  if (groups.length === 0) return []
  const rows = groups.slice(0, REASONS).map((group) => [
    `${group.move.id} ${safe(group.move.title, 80)} ${signed(changeOfMove(group.move))}`,
    reasons(group.sameFacts ? group.move : { ...group.move, facts: {} }, code)
      .map((reason) => reasonText(reason))
      .join("<br>"),
    escapeMarkdown(reasonSites(group))
  ])
  const rest = groups.length > REASONS ? [`The first ${REASONS} of ${groups.length} reasons.`, ""] : []
  return ["#### Why", "", ...rest, ...markdownTable(["Criterion", "Why", "Runs"], rows)]
}

const trials = (summary: RescoreSummary): ReadonlyArray<string> =>
  summary.trials.length === 0
    ? []
    : [
        "#### On trial",
        "",
        ...tableOf(trialTable(summary)),
        "",
        ...summary.trials.flatMap(trialLines).map((line) => `- ${escapeMarkdown(line)}`)
      ]

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
  return folded("Not comparable", [...rest, ...tableOf(incomparableTable(incomparable))])
}
