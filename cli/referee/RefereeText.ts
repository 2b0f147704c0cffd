import type { Refereed, RefereeResult, RefereeRow } from "../../engine/referee/Referee.ts"
import { counted } from "../../engine/plugin/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { block, sectionsText, wrap } from "../render/Style.ts"
import type { TextOptions } from "../render/TextReport.ts"
import {
  agreeingTexts,
  headingOf,
  idText,
  isMissed,
  lossHeading,
  lossLines,
  rowsOf,
  saysText,
  scoresText,
  TOLD,
  twoSitesText,
  verdictsText
} from "./RefereeWords.ts"

/** Maximum length of a printed URL, in characters. */
const LONGEST_ADDRESS = 300

/** For a terminal: of each tool the scores and what makes the difference, then each check that the two judge differently. */
export const renderRefereeText = (result: RefereeResult, options: TextOptions): string =>
  sectionsText([
    [options.style.bold(plainText(result.base_url, LONGEST_ADDRESS))],
    ...result.tools.flatMap((tool) => toolSections(result, tool, options))
  ])

const toolSections = (
  result: RefereeResult,
  tool: Refereed,
  options: TextOptions
): ReadonlyArray<ReadonlyArray<string>> => {
  const { style, width } = options
  const twoSites = twoSitesText(result, tool)
  return [
    [
      ...wrap(scoresText(result, tool), width).map(style.bold),
      ...(twoSites === null ? [] : block(twoSites, width, "").map(style.fair)),
      ...wrap(lossHeading(tool), width),
      ...lossLines(tool).flatMap(({ points, text }) => numbered(points, text, width))
    ],
    ...TOLD.map((outcome) => {
      const rows = rowsOf(tool, outcome)
      if (rows.length === 0) return []
      return [
        style.bold(`${headingOf(outcome, tool.title)} (${rows.length})`),
        ...rows.flatMap((row) => toldRow(row, tool.title, options))
      ]
    }),
    [...agreeingTexts(tool).flatMap((text) => wrap(text, width)), ...rest(tool, options)]
  ]
}

const numbered = (points: number, text: string, width: number): ReadonlyArray<string> =>
  block(text, width, "      ").map((line, index) =>
    index === 0 ? `${String(points).padStart(5)} ${line.trimStart()}` : line
  )

const toldRow = (row: RefereeRow, title: string, { style, width }: TextOptions): ReadonlyArray<string> => [
  ...block(`${idText(row.check)} – ${verdictsText(row, title)}`, width, "  "),
  ...(row.says === "" ? [] : block(`${title}: ${saysText(row.says)}`, width, "     ")),
  ...(row.exchange === null
    ? []
    : [
        ...block(`docgauge: ${plainText(row.exchange.note)}`, width, "     "),
        style.dim(`       ${row.exchange.status ?? "no answer"} ${plainText(row.exchange.url, LONGEST_ADDRESS)}`)
      ]),
  ...block(row.because, width, "     "),
  ...(row.outcome === "contradict" && row.exchange !== null && row.exchange.curl !== null
    ? [style.dim(`     Ask again: ${plainText(row.exchange.curl, 1_000)}`)]
    : [])
]

/** What there is nothing to hold against: with its reason where that helps to decide, else by name. */
const rest = (tool: Refereed, { style, width }: TextOptions): ReadonlyArray<string> => {
  const [open, own] = [rowsOf(tool, "open"), rowsOf(tool, "only_theirs")]
  const section = (heading: string, rows: ReadonlyArray<RefereeRow>) =>
    rows.length === 0
      ? []
      : [
          style.bold(`${heading} (${rows.length})`),
          ...rows.flatMap(({ because, check, criterion }) =>
            block(`${idText(check)}${criterion === null ? "" : ` (${criterion.id})`}: ${because}`, width, "  ")
          )
        ]
  const named = (what: string, rows: ReadonlyArray<RefereeRow>) =>
    rows.length === 0 ? [] : wrap(`${what}: ${rows.map(({ check }) => idText(check)).join(", ")}.`, width)
  return [
    ...named(`${tool.title} has no verdict on`, open.filter(hasNone)),
    ...named(
      `Passed there or skipped, and without a criterion of docgauge`,
      own.filter((row) => !isMissed(row))
    ),
    ...named("docgauge does not know these checks", rowsOf(tool, "unknown")),
    ...section(
      "docgauge has no verdict",
      open.filter((row) => !hasNone(row))
    ),
    ...section(`Only ${tool.title}, and not passed there`, own.filter(isMissed)),
    ...tool.left_out.flatMap(({ because, checks, group }) =>
      block(`Left out: ${counted(checks, "check")} of ${idText(group)}. ${because}`, width, "")
    )
  ]
}

const hasNone = ({ theirs }: RefereeRow): boolean => theirs === "open"
