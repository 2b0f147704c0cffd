import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { dirname, join } from "node:path"
import { AuditReport } from "../../engine/audit/Report.ts"
import { referee, type RefereeResult, type Refereed, type RefereeRow } from "../../engine/referee/Referee.ts"
import { loadReferee, type RefereeBook } from "../../engine/referee/RefereeBook.ts"
import { readToolReport, type ToolReport } from "../../engine/referee/ToolReports.ts"
import { OWN_RUBRIC } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { outputStyle, terminalWidth, block, sectionsText, wrap } from "../render/Style.ts"
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
  verdictsText,
  isMissed
} from "./RefereeWords.ts"
import type { TextOptions } from "../render/TextReport.ts"

/** The tools that come with docgauge, beside its rubric. A file of our own that cannot be read is a defect. */
const ownReferee: Effect.Effect<RefereeBook, never, FileSystem.FileSystem> = Effect.gen(function* () {
  const path = join(dirname(OWN_RUBRIC.file), "referee.yaml")
  const files = yield* FileSystem.FileSystem
  return yield* Effect.flatMap(files.readFile(path), (bytes) => loadReferee(bytes, path, plugins))
}).pipe(Effect.orDie)

interface ForeignFile {
  readonly file: string
  readonly report: unknown
}

/** Holds reports of other tools against ours; fails at the first that is of no tool we know. */
export const refereeFiles = Effect.fn("refereeFiles")(function* (
  ours: AuditReport,
  others: ReadonlyArray<ForeignFile>
): Effect.fn.Return<RefereeResult, CliFailure, FileSystem.FileSystem> {
  const book = yield* ownReferee
  const reports = yield* Effect.forEach(others, (other) => {
    const read = readToolReport(other.report, book)
    return "unlike" in read ? Effect.fail(notRead(other, read.unlike, book)) : Effect.succeed(read)
  })
  return referee(ours, reports, book)
})

const isReport = Schema.is(AuditReport)

const notRead = (
  { file, report }: ForeignFile,
  unlike: ToolReport["tool"] | null,
  { tools }: RefereeBook
): CliFailure =>
  wrongUsage(
    unlike === null
      ? isReport(report)
        ? `${file} is a report in docgauge's own shape. To compare it with another, run: docgauge compare OURS.json ${file}`
        : `${file} is neither an audit report with base_url, total_score and criteria, nor one of a tool that docgauge knows: ${tools.map(({ title }) => title).join(", ")}.`
      : `${file} looks like a report of ${unlike.title}, but has another shape than that of ${unlike.version}. Get it with: ${unlike.report}`
  )

/** Prints what came of it in the format that was asked for. */
export const printReferee = (result: RefereeResult, format: "text" | "markdown" | "json", noColor: boolean) => {
  if (format === "json") return Console.log(JSON.stringify(result, null, 2))
  const text =
    format === "markdown"
      ? renderRefereeMarkdown(result)
      : renderRefereeText(result, { width: terminalWidth(), style: outputStyle(noColor) })
  return Console.log(text.trimEnd())
}

/** For an issue, a pull request or an agent. */
const renderRefereeMarkdown = (result: RefereeResult): string =>
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

/** Maximum length of a printed URL, in characters. */
const LONGEST_ADDRESS = 300

/** For a terminal: of each tool the scores and what makes the difference, then each check that the two judge differently. */
const renderRefereeText = (result: RefereeResult, options: TextOptions): string =>
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
