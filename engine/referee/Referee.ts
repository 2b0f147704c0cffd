import type { AuditReport, CriterionResult, CriterionStatus, ReportedFinding } from "../audit/Report.ts"
import { siteFormOf } from "../evidence/Address.ts"
import { counted } from "../plugin/Wording.ts"
import { curlOf } from "../report/ReportView.ts"
import type { MappedCheck, RefereeBook, Relation } from "./RefereeBook.ts"
import type { TheirVerdict, ToolCheck, ToolReport } from "./ToolReports.ts"

/**
 * What comes of a check and what of ours it is held against. `contradict`: one of the two is mistaken, or they saw different pages or
 * moments; `ours_stricter`, `theirs_stricter`: one asks for more, and both can be right; `open`: one of them has no verdict.
 */
export type RefereeOutcome =
  | "agree"
  | "contradict"
  | "ours_stricter"
  | "theirs_stricter"
  | "open"
  | "only_theirs"
  | "unknown"

/** The exchange of ours that decides. */
interface DecidingExchange {
  readonly url: string
  readonly status: number | null
  readonly note: string
  /** Asks again; `null` if the report does not have the request. */
  readonly curl: string | null
}

export interface RefereeRow {
  readonly check: string
  readonly theirs: TheirVerdict
  /** In the tool's words. */
  readonly says: string
  readonly criterion: {
    readonly id: string
    readonly title: string
    readonly status: CriterionStatus
    readonly score: number
    readonly max: number
  } | null
  /** The part of the criterion that is held against the check, as a condition; `null`: its full points. */
  readonly part: string | null
  /** The facts that the part is about, as measured. */
  readonly measured: Readonly<Record<string, number | boolean | string>>
  readonly ours: TheirVerdict
  readonly relation: Relation | null
  readonly outcome: RefereeOutcome
  /** Why the two can differ, or why there is nothing to hold the check against. */
  readonly because: string
  readonly exchange: DecidingExchange | null
}

/** Where points of ours went that the site did not get, by what the other tool says there. */
export type LossKind =
  | "not_looked_at"
  | "ours_stricter"
  | "contradict"
  | "both"
  | "theirs_open"
  | "not_applicable"
  | "not_checked"

interface Loss {
  readonly kind: LossKind
  readonly points: number
  readonly criteria: ReadonlyArray<{ readonly id: string; readonly points: number }>
}

/** A tool's report held against ours. */
export interface Refereed {
  readonly tool: string
  readonly title: string
  readonly version: string | null
  readonly url: string | null
  readonly same_site: boolean
  readonly scores: ToolReport["scores"]
  readonly rows: ReadonlyArray<RefereeRow>
  readonly losses: ReadonlyArray<Loss>
  /** Parts of the tool's report that have nothing to do with ours. */
  readonly left_out: ReadonlyArray<{ readonly group: string; readonly checks: number; readonly because: string }>
}

/** Our report and those of other tools. */
export interface RefereeResult {
  readonly base_url: string
  readonly total_score: number
  readonly reliable: boolean
  readonly tools: ReadonlyArray<Refereed>
}

/** Holds the reports of other tools against ours, check by check. */
export const referee = (ours: AuditReport, reports: ReadonlyArray<ToolReport>, book: RefereeBook): RefereeResult => ({
  base_url: ours.base_url,
  total_score: ours.total_score,
  reliable: ours.reliability.reliable,
  tools: reports.map((report) => refereed(ours, report, book))
})

const refereed = (ours: AuditReport, report: ToolReport, book: RefereeBook): Refereed => {
  const { scores, tool, url, version } = report
  const mapped = Map.groupBy(tool.checks, ({ id }) => id)
  const outside = new Set((tool.groups ?? []).map(({ id }) => id))
  const isOutside = ({ group, id }: ToolCheck) => group !== null && outside.has(group) && !mapped.has(id)
  const rows = report.checks
    .filter((check) => !isOutside(check))
    .flatMap((check) => {
      const all = mapped.get(check.id)
      return all === undefined ? [unknownRow(check)] : all.map((map) => rowOf(ours, report, check, map, book))
    })
  return {
    tool: tool.id,
    title: tool.title,
    version,
    url,
    same_site: url === null || isSameSite(ours.base_url, url),
    scores,
    rows,
    losses: lossesOf(ours, rows),
    left_out: (tool.groups ?? []).flatMap(({ because, id }) => {
      const checks = report.checks.filter((check) => check.group === id && isOutside(check)).length
      return checks === 0 ? [] : [{ group: id, checks, because }]
    })
  }
}

const isSameSite = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && hostOf(one) === hostOf(other)

const hostOf = (url: string): string => siteFormOf(url).split("/", 1)[0] ?? ""

const NOTHING = { criterion: null, part: null, measured: {}, ours: "open", exchange: null } as const

const unknownRow = ({ id, says, verdict }: ToolCheck): RefereeRow => ({
  ...NOTHING,
  check: id,
  theirs: verdict,
  says,
  relation: null,
  outcome: "unknown",
  because: "referee.yaml does not know this check, so nothing is said of it."
})

const rowOf = (
  ours: AuditReport,
  report: ToolReport,
  { id, says, verdict }: ToolCheck,
  map: MappedCheck,
  book: RefereeBook
): RefereeRow => {
  const row = { check: id, theirs: verdict, says, relation: map.relation }
  const result = ours.criteria.find((criterion) => isMeant(criterion, map.criterion))
  if (result === undefined) {
    const because =
      map.criterion === undefined ? map.because : `The rubric of this report has no ${map.criterion} of ours.`
    return { ...NOTHING, ...row, outcome: "only_theirs", because }
  }
  const { id: criterion, max, score, status, title } = result
  const held = heldAgainst(result, map, book)
  const outcome = outcomeOf(verdict, held.verdict, map.relation)
  return {
    ...row,
    criterion: { id: criterion, title, status, score, max },
    part: map.holds ?? null,
    measured: held.measured,
    ours: held.verdict,
    outcome,
    because: held.open ?? withPages(map, report, ours, outcome),
    exchange: held.verdict === "open" ? null : exchangeOf(ours, result, held.verdict === "pass", map.about)
  }
}

/** The mapping speaks of criteria by the ids of our rubric, after which plugins are named. */
const isMeant = ({ id, measured: { plugin } }: CriterionResult, criterion: string | undefined): boolean =>
  id === criterion && plugin.startsWith(`${id.toLowerCase()}-`)

interface Held {
  readonly verdict: TheirVerdict
  readonly measured: RefereeRow["measured"]
  /** Why there is no verdict; `null` where there is one. */
  readonly open: string | null
}

const heldAgainst = (result: CriterionResult, map: MappedCheck, book: RefereeBook): Held => {
  if (result.applicable === false)
    return open("Nothing suggests that the site has an HTTP API, so docgauge does not judge it.")
  if (result.status === "inconclusive") return open(`docgauge could not check it: ${result.summary}`)
  const [given, holds] = [conditionOf(result, map, map.given, book), conditionOf(result, map, map.holds, book)]
  if (given === "unknown" || holds === "unknown")
    return open("docgauge's report does not have what it measured of this.")
  if (given?.holds === false) return open(`There is nothing that docgauge could judge by it: ${result.summary}`)
  const verdict = holds === null ? VERDICT_OF[result.status] : holds.holds ? "pass" : "fail"
  return { verdict, measured: holds?.measured ?? {}, open: null }
}

const open = (why: string): Held => ({ verdict: "open", measured: {}, open: why })

const VERDICT_OF: Readonly<Record<CriterionStatus, TheirVerdict>> = {
  present: "pass",
  partial: "partial",
  absent: "fail",
  inconclusive: "open"
}

interface Judged {
  readonly holds: boolean
  readonly measured: RefereeRow["measured"]
}

/** What a condition says of the facts of a result; `null` without a condition, `unknown` if the report lacks one of the facts. */
const conditionOf = (
  { measured: { facts } }: CriterionResult,
  { criterion = "" }: MappedCheck,
  text: string | undefined,
  book: RefereeBook
): Judged | null | "unknown" => {
  if (text === undefined) return null
  const condition = book.condition(criterion, text)
  if (condition === null || facts === null) return "unknown"
  const measured = Object.fromEntries(
    condition.reads.flatMap((name) => {
      const value = facts[name]
      return value === undefined ? [] : [[name, value]]
    })
  )
  if (Object.keys(measured).length < condition.reads.length) return "unknown"
  return { holds: condition.holds(facts), measured }
}

/** A check that passes in part is one that the site does not pass. */
const outcomeOf = (theirs: TheirVerdict, ours: TheirVerdict, relation: Relation): RefereeOutcome => {
  if (theirs === "open" || ours === "open") return "open"
  if ((theirs === "pass") === (ours === "pass")) return "agree"
  if (theirs === "pass") return relation === "narrower" || relation === "overlaps" ? "ours_stricter" : "contradict"
  return relation === "wider" || relation === "overlaps" ? "theirs_stricter" : "contradict"
}

/** With how many pages each read, where the two differ by a sample of several. */
const withPages = (
  { because, pages }: MappedCheck,
  report: ToolReport,
  ours: AuditReport,
  outcome: RefereeOutcome
): string => {
  // A sample lists pages that did not answer and dead links, too.
  const read = (ours.pages ?? []).filter(({ status }) => status !== null && status >= 200 && status < 300)
  const [theirs, own] = [report.pages, read.length]
  if (pages !== true || outcome === "agree" || outcome === "open" || (theirs ?? own) + own <= 2) return because
  const counts =
    theirs === null
      ? `docgauge read ${counted(own, "page")}`
      : `${report.tool.title} read ${counted(theirs, "page")}, docgauge ${own}`
  return `${because} ${counts}: other pages can answer otherwise.`
}

/**
 * The first finding that speaks as the verdict does, of those with the words if there are any. `null` where a criterion lost points for
 * something else, and has no finding with the words.
 */
const exchangeOf = (
  ours: AuditReport,
  result: CriterionResult,
  good: boolean,
  about: string | undefined
): DecidingExchange | null => {
  const findings = result.findings ?? []
  const speaks = (finding: ReportedFinding) => finding.good === good
  const named =
    about === undefined ? [] : findings.filter(({ note }) => note.toLowerCase().includes(about.toLowerCase()))
  if (about !== undefined && named.length === 0 && good && result.status !== "present") return null
  const found = named.find(speaks) ?? named[0] ?? findings.find(speaks) ?? findings[0] ?? result.evidence[0]
  if (found === undefined) return null
  const asked = found.exchange === undefined ? undefined : ours.exchanges?.[found.exchange]
  return { url: found.url, status: found.status, note: found.note, curl: asked === undefined ? null : curlOf(asked) }
}

const KINDS: ReadonlyArray<LossKind> = [
  "not_looked_at",
  "ours_stricter",
  "contradict",
  "both",
  "theirs_open",
  "not_applicable",
  "not_checked"
]

const lossesOf = (ours: AuditReport, rows: ReadonlyArray<RefereeRow>): ReadonlyArray<Loss> => {
  const lost = ours.criteria
    .filter(({ max, score }) => score < max)
    .map((result) => ({ id: result.id, points: result.max - result.score, kind: lossOf(result, rows) }))
  return KINDS.flatMap((kind) => {
    const criteria = lost.filter((loss) => loss.kind === kind).map(({ id, points }) => ({ id, points }))
    const points = criteria.reduce((sum, loss) => sum + loss.points, 0)
    return criteria.length === 0 ? [] : [{ kind, points, criteria }]
  })
}

const lossOf = (result: CriterionResult, all: ReadonlyArray<RefereeRow>): LossKind => {
  if (result.applicable === false) return "not_applicable"
  if (result.status === "inconclusive") return "not_checked"
  const rows = all.filter(({ criterion }) => criterion?.id === result.id)
  if (rows.length === 0) return "not_looked_at"
  const has = (outcome: RefereeOutcome) => rows.some((row) => row.outcome === outcome)
  if (rows.some(({ outcome, theirs }) => outcome === "contradict" && theirs === "pass")) return "contradict"
  if (has("ours_stricter")) return "ours_stricter"
  if (rows.some(({ outcome, theirs }) => outcome === "agree" && theirs !== "pass")) return "both"
  return rows.every(({ outcome }) => outcome === "open") ? "theirs_open" : "ours_stricter"
}
