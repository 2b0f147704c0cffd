import { counted, grouped, percent } from "../../engine/plugin/Wording.ts"
import type { AgentRow, LogSummary, PathInVain } from "../../engine/logs/summary/LogSummary.ts"
import { block, sectionsText, wrap } from "../render/Style.ts"
import type { TextOptions } from "../render/TextReport.ts"
import {
  askersText,
  agentNote,
  formsText,
  guessText,
  kindText,
  overview,
  remarks,
  tokensText,
  unmetText,
  vainHeadings
} from "./LogsWords.ts"

/** Rows of a table in a terminal; JSON has all. */
const ROWS = 15
const PATHS = 10

/** Under the column of names. */
const INDENT = " ".repeat(13)

/** For a terminal: who reads, what they read, and what they ask for in vain. */
export const logsText = (summary: LogSummary, options: TextOptions): string => {
  const { style, width } = options
  const lines = (text: string): ReadonlyArray<string> => wrap(text, width)
  const heading = (text: string): string => style.bold(text)
  return sectionsText([
    overview(summary).flatMap((text, index) => (index === 0 ? [heading(text)] : lines(text))),
    summary.agents.length === 0 ? [] : [heading("Agents"), ...agentLines(summary.agents, options)],
    summary.report === null || summary.report.hits.length === 0
      ? []
      : [
          heading(`Findings of the audit of ${summary.report.audit_date}, by what agents meet`),
          ...summary.report.hits
            .filter(({ requests }) => requests > 0)
            .flatMap(({ criterion, gain, requests, sentence, title }) => [
              `  ${grouped(requests).padStart(9)}  ${criterion} ${title} (+${gain})`,
              ...block(sentence, width, INDENT).map(style.dim)
            ]),
          ...block(unmetText(summary.report.hits), width, "  ")
        ],
    vainLines(summary, heading),
    summary.in_vain.guesses.length === 0
      ? []
      : [
          heading("Guesses: missing paths by what they have in common"),
          ...summary.in_vain.guesses
            .slice(0, PATHS)
            .map((guess) => `  ${grouped(guess.requests).padStart(9)}  ${guessText(guess)}`)
        ],
    summary.pages.length === 0
      ? []
      : [
          heading("Read most"),
          ...summary.pages
            .slice(0, PATHS)
            .map((row) => `  ${grouped(row.requests).padStart(9)}  ${row.path}  ${style.dim(askersText(row))}`)
        ],
    neverReadLines(summary, heading),
    remarks(summary).flatMap(lines)
  ])
}

/** Each agent in two lines: who and how much, then in which forms. */
const agentLines = (agents: ReadonlyArray<AgentRow>, { style, width }: TextOptions): ReadonlyArray<string> => {
  const shown = agents.slice(0, ROWS)
  const rest = agents.length - shown.length
  const longest = Math.max(...shown.map(({ name }) => name.length))
  return [
    ...shown.flatMap((agent) => [
      `  ${grouped(agent.requests).padStart(9)}  ${agent.name.padEnd(longest)}  ${kindText(agent.kind)}`,
      ...block(`${formsText(agent)}; ${tokensText(agent)}${agentNote(agent)}`, width, INDENT).map(style.dim)
    ]),
    ...(rest === 0 ? [] : [`${INDENT}and ${grouped(rest)} more, which --format json lists`])
  ]
}

const vainLines = ({ in_vain: vain }: LogSummary, heading: (text: string) => string): ReadonlyArray<string> =>
  vainHeadings(vain).flatMap(({ paths, title }, index) => [
    ...(index === 0 ? [] : [""]),
    heading(title),
    ...paths.slice(0, PATHS).map((row) => `  ${grouped(row.requests).padStart(9)}  ${pathLine(row)}`),
    ...(paths.length > PATHS ? [`${INDENT}and ${grouped(paths.length - PATHS)} more`] : [])
  ])

const pathLine = (row: PathInVain): string =>
  `${row.path}${row.page === null ? "" : ` (most likely ${row.page})`}  ${askersText(row)}`

const neverReadLines = (
  { never_read: { known, paths, unread } }: LogSummary,
  heading: (text: string) => string
): ReadonlyArray<string> =>
  unread === 0
    ? []
    : [
        heading(`Never read by an agent: ${grouped(unread)} of ${counted(known, "page")} (${percent(unread / known)})`),
        ...paths.slice(0, PATHS).map((path) => `  ${path}`),
        ...(unread > PATHS ? [`  and ${grouped(unread - PATHS)} more`] : [])
      ]
