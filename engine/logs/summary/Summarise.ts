import { tokensOf } from "../../audit/cost/ReadingCost.ts"
import type { AuditReport } from "../../audit/Report.ts"
import { plainText } from "../../text/PlainText.ts"
import { AGENT_KINDS, COUNTED_AGENTS } from "../agents/LogAgents.ts"
import { type AgentRow, LOG_SUMMARY_VERSION, type LogSummary, type PathInVain } from "./LogSummary.ts"
import { type LineCounts, withoutIpAddresses } from "../read/LogReader.ts"
import type { AgentTally, ReadForm, Tally } from "./Tally.ts"
import { guessesOf, meantPages, plainPath } from "./MissingPaths.ts"
import { type PathCount, pathFormOf, type PathRow } from "./PathTable.ts"
import { reportHits } from "./ReportHits.ts"

/** Paths in each list. */
const LISTED = 500

/** Agents that are named for one path. */
const NAMED = 5

const NAMED_HOSTS = 20

const DAY = 86_400_000

/** A path of a log, fit to be shown and without addresses. */
const shown = (path: string): string => withoutIpAddresses(plainText(path, 500))

interface SummaryOptions {
  readonly report: AuditReport | null
  /** The day of our copy of an agent's published addresses; `null`: none. */
  readonly listOf: (agent: string) => string | null
}

/** What the tally comes to. */
export const summarise = (tally: Tally, lines: LineCounts, { listOf, report }: SummaryOptions): LogSummary => {
  const rows = [...tally.paths.rows()]
  // A page of the report that is not among the paths may be one of those that were not kept apart.
  const unseen = tally.paths.beyond === 0 ? pagesOf(report, rows) : []
  const known = [...rows.filter(({ isKnown }) => isKnown), ...unseen]
  const asked = rows.filter((row) => row.asked > 0)
  const inVainPaths = [...top(asked, ({ missing }) => missing), ...top(asked, ({ redirected }) => redirected)]
  const meant = meantPages(
    inVainPaths.map(({ path }) => path),
    known
  )
  const inVain = (count: PathCount, requests: number) => ({
    requests,
    paths: top(asked, (row) => row[count]).map((row): PathInVain => {
      const page = count === "missing" || count === "redirected" ? meant(row.path) : null
      return {
        path: shown(row.path),
        requests: row[count],
        ...namesOf(tally, row),
        page: page === null ? null : shown(page)
      }
    })
  })
  const outcomes = (outcome: keyof AgentTally["outcomes"]): number =>
    sum(tally.agents.map(({ outcomes }) => outcomes[outcome]))
  const agents = agentRows(tally, listOf)
  const ofScripts = sum(agents.filter(({ kind }) => kind === "script").map(({ requests }) => requests))
  // Where lines do not say who asked, no page is known to be unread.
  const pages = tally.everyone.unknown === 0 ? known.filter(({ form }) => form === "html") : []
  const asMarkdown = new Set(
    asked.flatMap(({ answered, form, path }) => (form === "markdown" && answered > 0 ? [plainPath(path)] : []))
  )
  const unread = pages.filter(({ asked, path }) => asked === 0 && !asMarkdown.has(plainPath(path)))
  const summary: LogSummary = {
    log_summary: LOG_SUMMARY_VERSION,
    period: periodOf(tally),
    lines: {
      read: lines.lines,
      others: lines.others,
      unreadable: lines.unreadable,
      example: lines.example,
      formats: Object.fromEntries(lines.formats)
    },
    requests: {
      all: tally.requests,
      agents: sum(agents.map(({ requests }) => requests)) - ofScripts,
      scripts: ofScripts,
      browsers: tally.everyone.browser,
      crawlers: tally.everyone.crawler,
      docgauge: tally.everyone.docgauge,
      no_user_agent_field: tally.everyone.unknown,
      other_hosts: tally.otherHosts,
      scans: tally.scans
    },
    hosts: [...tally.hosts].slice(0, NAMED_HOSTS).map(shown),
    negotiation_visible: tally.hasMediaType,
    agents,
    forms: formCounts((form) => sum(tally.agents.map(({ forms }) => forms[form]))),
    pages: top(asked, (row) => (PAGE_FORMS.has(row.form) ? row.answered : 0)).map((row) => ({
      path: shown(row.path),
      requests: row.answered,
      ...namesOf(tally, row)
    })),
    in_vain: {
      not_found: inVain("missing", outcomes("not_found")),
      redirected: inVain("redirected", outcomes("redirected")),
      refused: inVain("refused", outcomes("refused")),
      rate_limited: inVain("limited", outcomes("rate_limited")),
      failed: inVain("failed", outcomes("failed")),
      soft_404: inVain("soft", outcomes("soft_404")),
      same_size: sameSize(asked),
      guesses: guessesOf(asked).map(({ example, ...guess }) => ({ ...guess, example: shown(example) }))
    },
    never_read: {
      known: pages.length,
      unread: unread.length,
      paths: unread.slice(0, LISTED).map(({ path }) => shown(path))
    },
    llms_txt: llmsUse(tally, asked),
    paths: { kept: tally.paths.length, beyond: tally.paths.beyond },
    report: null
  }
  return report === null
    ? summary
    : {
        ...summary,
        report: {
          base_url: plainText(report.base_url, 500),
          audit_date: report.audit_date,
          hits: reportHits(report, asked, { period: summary.period, meant, shown })
        }
      }
}

const PAGE_FORMS: ReadonlySet<PathRow["form"]> = new Set(["html", "markdown"])

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((one, other) => one + other, 0)

const formCounts = (of: (form: ReadForm) => number): LogSummary["forms"] => ({
  html: of("html"),
  markdown: of("markdown"),
  negotiated: of("negotiated"),
  llms_txt: of("llms_txt"),
  description: of("description"),
  site_file: of("site_file"),
  asset: of("asset"),
  other: of("other")
})

/** The rows that have the most of something, at most `LISTED`; those that have none are left out. */
const top = (rows: ReadonlyArray<PathRow>, of: (row: PathRow) => number): ReadonlyArray<PathRow> =>
  rows
    .filter((row) => of(row) > 0)
    .toSorted((one, other) => of(other) - of(one) || (one.path < other.path ? -1 : 1))
    .slice(0, LISTED)

/** Who asked, those that act for a person first and scripts last. */
const namesOf = ({ paths }: Tally, { id }: PathRow): Pick<PathInVain, "agents" | "more_agents"> => {
  const names = paths
    .agentsOf(id)
    .flatMap((index) => COUNTED_AGENTS[index] ?? [])
    .toSorted((one, other) => rankOf(one.kind) - rankOf(other.kind))
    .map(({ name }) => name)
  return {
    agents: names.slice(0, NAMED),
    ...(names.length > NAMED ? { more_agents: names.length - NAMED } : {})
  }
}

const rankOf = (kind: string): number => AGENT_KINDS.findIndex((one) => one === kind)

const agentRows = (tally: Tally, listOf: SummaryOptions["listOf"]): ReadonlyArray<AgentRow> => {
  const pages = tally.paths.pathsByAgent()
  return tally.agents
    .flatMap(({ agent, bytes, forms, from, outcomes, requests, textBytes }, index): ReadonlyArray<AgentRow> => {
      if (requests === 0 || !isCounted(agent.kind)) return []
      const list = listOf(agent.name)
      return [
        {
          name: agent.name,
          kind: agent.kind,
          requests,
          pages: pages[index] ?? 0,
          bytes: Math.round(bytes),
          tokens: tokensOf(textBytes),
          forms: { ...forms },
          outcomes: { ...outcomes },
          verified: list === null || from.published + from.other === 0 ? null : { ...from, list }
        }
      ]
    })
    .toSorted((one, other) => other.requests - one.requests || (one.name < other.name ? -1 : 1))
}

const isCounted = (kind: string): kind is AgentRow["kind"] => AGENT_KINDS.some((one) => one === kind)

const periodOf = ({ first, last }: Tally): LogSummary["period"] =>
  first === null || last === null || !isDate(first) || !isDate(last)
    ? null
    : {
        from: new Date(first).toISOString().slice(0, 19) + "Z",
        to: new Date(last).toISOString().slice(0, 19) + "Z",
        days: Math.round(((last - first) / DAY) * 100) / 100
      }

/** What a date of JavaScript can be. */
const isDate = (time: number): boolean => Math.abs(time) <= 8.64e15

/** Paths that were all answered with as many bytes before one page for any URL is suspected. */
const SUSPICIOUS = 5

/** Sizes that are looked at, the most frequent first. */
const SUSPECTS = 10

const sameSize = (asked: ReadonlyArray<PathRow>): LogSummary["in_vain"]["same_size"] => {
  const bySize = new Map<number, number>()
  const isSized = ({ answered, size }: PathRow): boolean => answered > 0 && size !== null && size > 0
  for (const row of asked) if (isSized(row)) bySize.set(row.size ?? 0, (bySize.get(row.size ?? 0) ?? 0) + 1)
  const suspects = [...bySize]
    .filter(([, paths]) => paths >= SUSPICIOUS)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, SUSPECTS)
  for (const [bytes, paths] of suspects) {
    const rows = asked.filter((row) => isSized(row) && row.size === bytes)
    const file = rows.find(({ form }) => form !== "html")
    if (file !== undefined && new Set(rows.map(({ form }) => form)).size > 1)
      return { paths, bytes, example: shown(file.path) }
  }
  return null
}

const llmsUse = (tally: Tally, asked: ReadonlyArray<PathRow>): LogSummary["llms_txt"] => {
  const rows = asked.filter(({ form }) => form === "llms_txt")
  const agents = tally.agents
    .flatMap(({ agent: { name }, forms }) => (forms.llms_txt === 0 ? [] : [{ name, requests: forms.llms_txt }]))
    .toSorted((one, other) => other.requests - one.requests)
  return {
    requests: sum(agents.map(({ requests }) => requests)),
    answered: sum(rows.map(({ answered }) => answered)),
    agents,
    readers: tally.llms.readers,
    went_on: tally.llms.wentOn,
    to_markdown: tally.llms.toMarkdown
  }
}

/** Pages of the report's sample that no line of the log is about. */
const pagesOf = (report: AuditReport | null, rows: ReadonlyArray<PathRow>): ReadonlyArray<PathRow> => {
  const seen = new Set(rows.map(({ path }) => path))
  return (report?.pages ?? []).flatMap(({ status, url }) => {
    const path = URL.parse(url)?.pathname
    if (path === undefined || seen.has(path) || status !== 200) return []
    seen.add(path)
    return [{ ...NOTHING, path, form: pathFormOf(path) }]
  })
}

const NOTHING: PathRow = {
  path: "",
  form: "html",
  isKnown: true,
  size: null,
  id: -1,
  asked: 0,
  answered: 0,
  missing: 0,
  redirected: 0,
  refused: 0,
  limited: 0,
  failed: 0,
  soft: 0
}
