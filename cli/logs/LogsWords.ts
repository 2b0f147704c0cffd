import { capitalised, counted, enumerated, grouped, percent } from "../../engine/plugin/Wording.ts"
import { type AgentRow, type LogSummary, type PathInVain, perWeek } from "../../engine/logs/summary/LogSummary.ts"

/*
 * The sentences that text, Markdown and HTML share.
 */

const KINDS: Readonly<Record<AgentRow["kind"], string>> = {
  user: "acts for a person",
  coding: "coding agent",
  search: "fills a search index",
  training: "collects training data",
  script: "script"
}

export const kindText = (kind: AgentRow["kind"]): string => KINDS[kind]

const FORMS: ReadonlyArray<readonly [keyof AgentRow["forms"], string]> = [
  ["html", "HTML"],
  ["markdown", "Markdown"],
  ["negotiated", "negotiated Markdown"],
  ["llms_txt", "llms.txt"],
  ["description", "API descriptions"],
  ["site_file", "site files"],
  ["asset", "assets"],
  ["other", "other"]
]

/** `HTML 812, Markdown 40`. */
export const formsText = ({ forms }: Pick<AgentRow, "forms">): string =>
  FORMS.flatMap(([form, name]) => (forms[form] === 0 ? [] : [`${name} ${grouped(forms[form])}`])).join(", ")

/** `1,234,567 bytes, about 308,642 tokens`. */
export const tokensText = ({ bytes, tokens }: Pick<AgentRow, "bytes" | "tokens">): string =>
  `${sizeText(bytes)}, about ${grouped(tokens)} ${tokens === 1 ? "token" : "tokens"}`

const sizeText = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`
}

/** What stands out of an agent's answers, and whether it is who it says. */
export const agentNote = ({ outcomes, requests, verified }: AgentRow): string => {
  const vain = outcomes.not_found + outcomes.refused + outcomes.rate_limited + outcomes.failed + outcomes.soft_404
  const failing = vain === 0 ? "" : `; ${percent(vain / requests)} in vain`
  if (verified === null) return failing
  const checked = verified.published + verified.other
  const list = verified.list === "unknown" ? "its operator's list" : `its operator's list of ${verified.list}`
  return `${failing}; ${verified.other === 0 ? "all" : verified.published === 0 ? "none" : percent(verified.published / checked)} from addresses of ${list}`
}

/** The first line is a heading. */
export const overview = (summary: LogSummary): ReadonlyArray<string> => {
  const { llms_txt: llms, period, requests } = summary
  const weekly = perWeek(requests.agents, period)
  const days = period === null ? "" : ` in ${periodText(period)}`
  return [
    `${capitalised(counted(requests.agents, "request"))} of agents${days}`,
    `Of ${counted(requests.all, "request")}: ${grouped(requests.agents)} of agents known by name${weekly === null ? "" : ` (${grouped(weekly)} a week)`}, ${grouped(requests.scripts)} of scripts, ${grouped(requests.browsers)} of browsers, ${grouped(requests.crawlers)} of other crawlers.`,
    ...(requests.agents + requests.scripts === 0 ? [] : [`Agents and scripts asked for: ${formsText(summary)}.`]),
    // Without user agents it is not known who asked for it.
    ...(llms.requests === 0 && requests.no_user_agent_field > 0 ? [] : [llmsText(llms)])
  ]
}

/** `14 days, from 2026-11-01 to 2026-11-15`. */
const periodText = ({ days, from, to }: NonNullable<LogSummary["period"]>): string => {
  const [first, last] = [from.slice(0, 10), to.slice(0, 10)]
  return `${daysText(days)}, ${first === last ? `on ${first}` : `from ${first} to ${last}`}`
}

const daysText = (days: number): string => {
  if (days < 1 / 24) return "less than an hour"
  return days < 2 ? counted(Math.round(days * 24), "hour") : counted(Math.round(days), "day")
}

/** Agents that are named for llms.txt; others are counted. */
const LLMS_NAMES = 3

const llmsText = ({ agents, answered, readers, requests, to_markdown, went_on }: LogSummary["llms_txt"]): string => {
  if (requests === 0) return "No agent asked for llms.txt."
  const others = agents.length - LLMS_NAMES
  const names = enumerated([
    ...agents.slice(0, LLMS_NAMES).map(({ name }) => name),
    ...(others > 0 ? [counted(others, "other")] : [])
  ])
  const often =
    answered === 0
      ? "never answered"
      : `answered ${answered === requests ? "each time" : answered === 1 ? "once" : `${grouped(answered)} times`}`
  const asked = `llms.txt was asked for ${requests === 1 ? "once" : `${grouped(requests)} times`}, by ${names}, and ${often}.`
  return readers === 0
    ? asked
    : `${asked} Of ${counted(readers, "reader")}, ${grouped(went_on)} went on to a page within an hour, ${grouped(to_markdown)} to a Markdown version.`
}

/** What the reader must know of the figures. */
export const remarks = ({
  agents,
  hosts,
  in_vain: { same_size: sameSize },
  lines,
  negotiation_visible,
  paths,
  requests
}: LogSummary): ReadonlyArray<string> => [
  ...(sameSize === null
    ? []
    : [
        `${capitalised(counted(sameSize.paths, "path"))} of several kinds were answered 200 with exactly ${grouped(sameSize.bytes)} bytes, ${sameSize.example} too: the site may answer any URL with one page.`
      ]),
  ...(isBehindProxy(agents)
    ? [
        "No agent came from an address that its operator publishes. The log may have the addresses of a proxy or CDN: log the client's."
      ]
    : []),
  ...(requests.no_user_agent_field === 0
    ? []
    : [
        `${capitalised(counted(requests.no_user_agent_field, "line"))} ${requests.no_user_agent_field === 1 ? "has" : "have"} no user agent, so it is not known who asked: log in the combined format.`
      ]),
  ...(negotiation_visible
    ? []
    : ["The log has no media types of responses, so Markdown at the URL of a page counts as HTML."]),
  ...(hosts.length > 1
    ? [
        `The log is of ${counted(hosts.length, "host")}, counted as one site: ${enumerated(hosts.slice(0, 3))}${hosts.length > 3 ? ", …" : ""}. --site URL counts one.`
      ]
    : []),
  ...(requests.other_hosts === 0 ? [] : [`Left out: ${counted(requests.other_hosts, "request")} to other hosts.`]),
  ...(requests.scans === 0
    ? []
    : [`Left out: ${counted(requests.scans, "request")} of scans for leaks and other software.`]),
  ...(paths.beyond === 0
    ? []
    : [
        `${capitalised(counted(paths.beyond, "request"))} went to more paths than are kept apart (${grouped(paths.kept)}): ${paths.beyond === 1 ? "it is" : "they are"} in the counts and in no list.`
      ]),
  ...(lines.unreadable === 0
    ? []
    : [
        `${capitalised(counted(lines.unreadable, "line"))} could not be read${lines.example === null ? "" : `, such as: ${lines.example}`}`
      ])
]

/** Whether no agent with a published list came from it, of enough requests to tell. */
const isBehindProxy = (agents: LogSummary["agents"]): boolean => {
  const checked = agents.flatMap(({ verified }) => verified ?? [])
  const others = checked.reduce((total, { other }) => total + other, 0)
  return others >= 20 && checked.every(({ published }) => published === 0)
}

/** The criteria whose findings no agent met; empty where there are none. */
export const unmetText = (hits: NonNullable<LogSummary["report"]>["hits"]): string => {
  const unmet = hits.filter(({ requests }) => requests === 0).map(({ criterion }) => criterion)
  return unmet.length === 0 ? "" : `The log shows no request that met what these found: ${enumerated(unmet)}.`
}

/** `GPTBot, Claude-User and 7 others`. */
export const askersText = ({ agents, more_agents: more = 0 }: Pick<PathInVain, "agents" | "more_agents">): string =>
  enumerated([...agents, ...(more > 0 ? [counted(more, "other")] : [])])

interface VainHeading {
  readonly title: string
  readonly paths: ReadonlyArray<PathInVain>
}

/** The answers that agents got in vain, each with its title; those of no request are left out. */
export const vainHeadings = (vain: LogSummary["in_vain"]): ReadonlyArray<VainHeading> =>
  [
    { title: "Asked for and missing (404, 410)", ...vain.not_found },
    { title: "Answered with a web page instead of a file (soft 404)", ...vain.soft_404 },
    { title: "Refused (403 and other 4xx)", ...vain.refused },
    { title: "Too many requests (429)", ...vain.rate_limited },
    { title: "Failed (5xx)", ...vain.failed },
    { title: "Redirected", ...vain.redirected }
  ].flatMap(({ paths, requests, title }) =>
    requests === 0 ? [] : [{ title: `${title}: ${counted(requests, "request")}`, paths }]
  )

export const guessText = ({ example, paths, pattern }: LogSummary["in_vain"]["guesses"][number]): string =>
  `${pattern}: ${paths === 1 ? example : `${counted(paths, "path")}, such as ${example}`}`
