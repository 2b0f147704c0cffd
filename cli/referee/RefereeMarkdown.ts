import type { Refereed, RefereeResult, RefereeRow } from "../../engine/referee/Referee.ts"
import { counted } from "../../engine/plugin/Wording.ts"
import { autolink, escapeMarkdown, inlineCode, markdownTable } from "../../engine/text/MarkupText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import {
  agreeingTexts,
  headingOf,
  idText,
  lossHeading,
  lossLines,
  rowsOf,
  saysText,
  scoresText,
  TOLD,
  twoSitesText,
  verdictsText
} from "./RefereeWords.ts"

/** For an issue, a pull request or an agent. */
export const renderRefereeMarkdown = (result: RefereeResult): string =>
  [
    `# What other tools say of ${escapeMarkdown(plainText(result.base_url, 300))}`,
    ...result.tools.flatMap((tool) => toolLines(result, tool)),
    ""
  ].join("\n")

const paragraph = (text: string | null): ReadonlyArray<string> => (text === null ? [] : ["", escapeMarkdown(text)])

const toolLines = (result: RefereeResult, tool: Refereed): ReadonlyArray<string> => [
  "",
  `## ${escapeMarkdown(tool.title)}`,
  ...paragraph(scoresText(result, tool)),
  ...paragraph(twoSitesText(result, tool)),
  ...paragraph(lossHeading(tool)),
  "",
  ...lossLines(tool).map(({ points, text }) => `- ${points} ${escapeMarkdown(text)}`),
  ...TOLD.flatMap((outcome) => {
    const rows = rowsOf(tool, outcome)
    if (rows.length === 0) return []
    return [
      "",
      `### ${escapeMarkdown(headingOf(outcome, tool.title))} (${rows.length})`,
      "",
      ...rows.flatMap((row) => toldItem(row, tool.title))
    ]
  }),
  ...agreeingTexts(tool).flatMap(paragraph),
  ...restTable(tool),
  ...tool.left_out.flatMap(({ because, checks, group }) =>
    paragraph(`Left out: ${counted(checks, "check")} of ${idText(group)}. ${because}`)
  )
]

const toldItem = (row: RefereeRow, title: string): ReadonlyArray<string> => [
  `- **${escapeMarkdown(idText(row.check))}** – ${escapeMarkdown(verdictsText(row, title))}`,
  ...(row.says === "" ? [] : [`  - ${escapeMarkdown(`${title}: ${saysText(row.says)}`)}`]),
  ...(row.exchange === null
    ? []
    : [
        `  - docgauge: ${escapeMarkdown(plainText(row.exchange.note))} (${row.exchange.status ?? "no answer"} ${autolink(row.exchange.url)})`
      ]),
  `  - ${escapeMarkdown(row.because)}`,
  ...(row.outcome === "contradict" && row.exchange !== null && row.exchange.curl !== null
    ? [`  - Ask again: ${inlineCode(plainText(row.exchange.curl, 1_000))}`]
    : [])
]

const restTable = (tool: Refereed): ReadonlyArray<string> => {
  const rows = [...rowsOf(tool, "open"), ...rowsOf(tool, "only_theirs"), ...rowsOf(tool, "unknown")]
  if (rows.length === 0) return []
  return [
    "",
    "### Nothing to compare",
    "",
    ...markdownTable(
      ["Check", "Criterion", "Why"],
      rows.map(({ because, check, criterion, theirs }) => [
        escapeMarkdown(idText(check)),
        criterion?.id ?? "–",
        escapeMarkdown(criterion !== null && theirs === "open" ? `${tool.title} has no verdict.` : because)
      ])
    )
  ]
}
