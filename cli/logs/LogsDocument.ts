import type { LogSummary } from "../../engine/logs/summary/LogSummary.ts"
import { counted, grouped, percent } from "../../engine/plugin/Wording.ts"
import { type Content, filePage, html } from "../../engine/report/html/Html.ts"
import { escapeMarkdown, markdownTable } from "../../engine/text/MarkupText.ts"
import {
  agentNote,
  askersText,
  formsText,
  guessText,
  kindText,
  overview,
  remarks,
  tokensText,
  vainHeadings
} from "./LogsWords.ts"

/*
 * The summary as Markdown and as an HTML file: the same paragraphs and tables.
 */

/** Rows of a table; JSON has more. */
const ROWS = 50

interface LogsTable {
  readonly title: string
  /** The first column is a number. */
  readonly head: readonly [string, ...ReadonlyArray<string>]
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const tablesOf = (summary: LogSummary): ReadonlyArray<LogsTable> => {
  const { agents, in_vain: vain, never_read: unread, pages, report } = summary
  const tables: ReadonlyArray<LogsTable> = [
    {
      title: "Agents",
      head: ["Requests", "Agent", "What it does", "Forms", "Paid"],
      rows: agents.map((agent) => [
        grouped(agent.requests),
        agent.name,
        kindText(agent.kind),
        formsText(agent),
        `${tokensText(agent)}${agentNote(agent)}`
      ])
    },
    {
      title: report === null ? "" : `Findings of the audit of ${report.audit_date}, by what agents meet`,
      head: ["Requests", "Criterion", "To gain", "What agents meet most"],
      rows: (report?.hits ?? []).map(({ criterion, gain, requests, sentence, title }) => [
        grouped(requests),
        `${criterion} ${title}`,
        `+${gain}`,
        sentence
      ])
    },
    ...vainHeadings(vain).map(({ paths, title }): LogsTable => ({
      title,
      head: ["Requests", "Path", "Most likely meant", "Asked for by"],
      rows: paths.map((row) => [grouped(row.requests), row.path, row.page ?? "", askersText(row)])
    })),
    {
      title: "Guesses: missing paths by what they have in common",
      head: ["Requests", "Paths"],
      rows: vain.guesses.map((guess) => [grouped(guess.requests), guessText(guess)])
    },
    {
      title: "Read most",
      head: ["Requests", "Path", "Read by"],
      rows: pages.map((row) => [grouped(row.requests), row.path, askersText(row)])
    },
    {
      title: `Never read by an agent: ${grouped(unread.unread)} of ${counted(unread.known, "page")} (${percent(unread.unread / Math.max(1, unread.known))})`,
      head: ["No.", "Path"],
      rows: unread.paths.map((path, index) => [grouped(index + 1), path])
    }
  ]
  return tables.filter(({ rows }) => rows.length > 0)
}

const leftOut = ({ rows }: LogsTable): string =>
  rows.length <= ROWS ? "" : `${grouped(rows.length - ROWS)} more: --format json.`

/** For a pull request, an issue or an agent. */
export const logsMarkdown = (summary: LogSummary): string => {
  const [title = "", ...paragraphs] = overview(summary)
  return `${[
    `# ${escapeMarkdown(title)}`,
    ...paragraphs.map(escapeMarkdown),
    ...tablesOf(summary).flatMap((table) => [
      `## ${escapeMarkdown(table.title)}`,
      markdownTable(
        table.head,
        table.rows.slice(0, ROWS).map((row) => row.map(escapeMarkdown))
      ).join("\n"),
      ...(leftOut(table) === "" ? [] : [leftOut(table)])
    ]),
    ...remarks(summary).map(escapeMarkdown)
  ].join("\n\n")}\n`
}

/** One HTML file that needs no network. */
export const logsHtml = (summary: LogSummary): string => {
  const [title = "", ...paragraphs] = overview(summary)
  return filePage(`${title} · docgauge`, [
    html`<h1>${title}</h1>`,
    ...paragraphs.map((text) => html`<p>${text}</p>`),
    ...tablesOf(summary).map(section),
    ...remarks(summary).map((text) => html`<p class="soft">${text}</p>`)
  ])
}

const section = (table: LogsTable): Content => html`
    <section>
      <h2>${table.title}</h2>
      <div class="table-scroll">
        <table class="stacked">
          <caption class="visually-hidden">${table.title}</caption>
          <thead><tr>${table.head.map((name, index) => html`<th scope="col" class=${index === 0 ? "number" : null}>${name}</th>`)}</tr></thead>
          <tbody>${table.rows.slice(0, ROWS).map(
            (row) => html`
            <tr>${row.map((cell, index) => html`<td class=${index === 0 ? "number" : null} data-label=${table.head[index]}>${cell}</td>`)}</tr>`
          )}
          </tbody>
        </table>
      </div>
      ${leftOut(table) === "" ? null : html`<p class="small">${leftOut(table)}</p>`}
    </section>`
