import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import process from "node:process"
import { AuditReport } from "../../engine/audit/Report.ts"
import { PUBLISHED_LISTS, type PublishedList, rangesOf, verification } from "../../engine/logs/agents/PublishedLists.ts"
import type { LogSummary, AgentRow, PathInVain } from "../../engine/logs/summary/LogSummary.ts"
import { summarise } from "../../engine/logs/summary/Summarise.ts"
import { Tally } from "../../engine/logs/summary/Tally.ts"
import { grouped, percent, counted } from "../../engine/plugin/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { readJsonFile, writeTextFile } from "../io/Files.ts"
import { writeOut } from "../io/Stdout.ts"
import { canRedraw, outputStyle, plain, terminalWidth, block, sectionsText, wrap } from "../render/Style.ts"
import { type LogFile, logFiles } from "./LogFiles.ts"
import type { LogsFlags } from "./LogsFlags.ts"
import { type LogProgress, readLogs } from "./ReadLogs.ts"
import { COUNTED_AGENTS } from "../../engine/logs/agents/LogAgents.ts"
import { nearestName } from "../../engine/rubric/source/NearestName.ts"
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

/** Reads logs and prints what they say of agents. */
export const logsAndPrint = Effect.fnUntraced(function* (
  flags: LogsFlags
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem> {
  const report = Option.isNone(flags.with)
    ? null
    : yield* readJsonFile(flags.with.value, AuditReport, "a docgauge report in JSON")
  const site = Option.getOrElse(flags.site, () => report?.base_url)
  const host = site === undefined ? null : (URL.parse(site)?.hostname ?? "")
  if (host === "")
    return yield* wrongUsage(
      `--site takes a URL, as in: --site https://docs.example.com; not "${plainText(site ?? "", 60)}".`
    )
  const { isPublished, listOf } = verification(yield* publishedLists(flags.ranges))
  const files = yield* logFiles(flags.files)
  const tally = new Tally({ host, isPublished })
  const progress = logProgress(files, flags.quiet)
  const lines = yield* Effect.ensuring(
    readLogs(files, tally, progress, flags.quiet),
    Effect.sync(() => progress.end())
  )
  const text = yield* rendered(summarise(tally, lines, { report, listOf }), flags)
  yield* Option.match(flags.output, {
    onNone: () => writeOut(text, flags.format),
    onSome: (path) => writeTextFile(path, text)
  })
})

/** What prints Markdown and HTML is loaded when one of them is asked for. */
const rendered = Effect.fnUntraced(function* (
  summary: LogSummary,
  { format, noColor, output }: LogsFlags
): Effect.fn.Return<string> {
  if (format === "json") return `${JSON.stringify(summary, null, 2)}\n`
  if (format === "text")
    return logsText(summary, {
      width: Option.isSome(output) ? FILE_COLUMNS : terminalWidth(),
      style: Option.isSome(output) ? plain : outputStyle(noColor)
    })
  const { logsHtml, logsMarkdown } = yield* Effect.promise(() => import("./LogsDocument.ts"))
  return format === "html" ? logsHtml(summary) : logsMarkdown(summary)
})

const FILE_COLUMNS = 100

/** Milliseconds between redraws. */
const EVERY = 100

/** A line of stderr that says how far reading is; nothing unless stderr is a terminal that can redraw a line. */
const logProgress = (files: ReadonlyArray<LogFile>, quiet: boolean): LogProgress & { readonly end: () => void } => {
  const isShown = !quiet && canRedraw()
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const hasSizes = files.every(({ bytes }) => bytes > 0)
  let read = 0
  let drawnAt = 0
  return {
    onBytes: (stored) => {
      read += stored
    },
    onLines: (lines) => {
      const now = performance.now()
      if (!isShown || now - drawnAt < EVERY) return
      drawnAt = now
      process.stderr.write(`\r\u001b[2K${hasSizes ? `${percent(read / total)}, ` : ""}${grouped(lines)} lines`)
    },
    end: () => {
      if (isShown) process.stderr.write("\r\u001b[2K")
    }
  }
}

/** As OpenAI, Anthropic, Perplexity, Google and Common Crawl publish their addresses. */
const RangesFile = Schema.Struct({
  creationTime: Schema.optionalKey(Schema.String),
  prefixes: Schema.Array(
    Schema.Union([
      Schema.Struct({ ipv4Prefix: Schema.String }),
      Schema.Struct({ ipv6Prefix: Schema.String }),
      Schema.String
    ])
  )
})

/** Our lists, and before them those that `--ranges` gives. */
const publishedLists = Effect.fnUntraced(function* (
  given: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<PublishedList>, CliFailure, FileSystem.FileSystem> {
  const lists = yield* Effect.forEach(given, readList)
  // Of two lists of one agent, the last counts.
  return [...PUBLISHED_LISTS, ...lists]
})

const names = COUNTED_AGENTS.filter(({ kind }) => kind !== "script").map(({ name }) => name)

const readList = Effect.fnUntraced(function* (
  given: string
): Effect.fn.Return<PublishedList, CliFailure, FileSystem.FileSystem> {
  const [, name = "", path = ""] = /^([^=]*)=(.+)$/s.exec(given) ?? []
  const agent = names.find((one) => one.toLowerCase() === name.toLowerCase())
  if (agent === undefined) {
    const near = nearestName(name, names)
    return yield* wrongUsage(
      `--ranges takes an agent and a file, as in: --ranges GPTBot=gptbot.json; not "${plainText(given, 100)}".${near === null ? "" : ` Did you mean ${near}?`}`
    )
  }
  const { creationTime = "", prefixes } = yield* readJsonFile(
    path,
    RangesFile,
    "a list of addresses as operators publish it, with prefixes"
  )
  const ranges = prefixes.map((prefix) =>
    typeof prefix === "string" ? prefix : "ipv4Prefix" in prefix ? prefix.ipv4Prefix : prefix.ipv6Prefix
  )
  // Without a mask, it is one address.
  const masked = ranges.map((range) => (range.includes("/") ? range : `${range}/${range.includes(":") ? 128 : 32}`))
  if (rangesOf(masked) === null)
    return yield* wrongUsage(
      `${plainText(path, 200)} has a prefix that is no range of addresses, such as 192.0.2.0/24.`
    )
  return {
    agents: [agent],
    source: path,
    date: /^\d{4}-\d\d-\d\d/.exec(creationTime)?.[0] ?? UNDATED,
    ranges: masked.join(" ")
  }
})

/** In place of the day, for a list without one. */
const UNDATED = "unknown"

/** Rows of a table in a terminal; JSON has all. */
const ROWS = 15
const PATHS = 10

/** Under the column of names. */
const INDENT = " ".repeat(13)

/** For a terminal: who reads, what they read, and what they ask for in vain. */
const logsText = (summary: LogSummary, options: TextOptions): string => {
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
