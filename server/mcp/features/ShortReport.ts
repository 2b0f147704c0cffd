import type { AuditReport, CriterionResult, ReportedExchange } from "../../../engine/audit/Report.ts"
import type { DriftReport } from "../../../engine/drift/Drift.ts"
import { citedIn } from "../../../engine/report/ReportView.ts"

/*
 * Parts of a report that fit into the context of a model. Some clients refuse results of more than 25,000 tokens.
 */

/** The most bytes of a report's compact JSON: some 18,000 tokens, because reports have about 3.7 bytes for each (o200k). */
const MOST_BYTES = 66_000

/** Findings of drift in the JSON of a tool; the whole report has all. */
const DRIFT_FINDINGS = 10

/** What a report keeps, however long it is. */
const KEPT: ReadonlySet<string> = new Set([
  "base_url",
  "audit_date",
  "total_score",
  "max_score",
  "categories",
  "criteria",
  "verdict",
  "rubric",
  "engine_version",
  "reliability"
])

/** A report for a result of a tool. */
interface ShortReport {
  readonly report: object
  /** What was left out for its length and how to read it, in one sentence; `null`: nothing. */
  readonly leftOut: string | null
}

/**
 * Without requests and responses, which would double its length and which `get_report` returns for each criterion. If it is still too
 * long, the longest lists of findings are left out, and then the longest other parts, until it fits.
 */
export const shortReport = (whole: AuditReport): ShortReport => {
  const { drift, exchanges: _, ...report } = whole
  const short = { ...report, ...(drift === undefined ? {} : { drift: shortDrift(drift) }) }
  let excess = bytesOf(short) - MOST_BYTES
  const [criteria, parts] = [new Set<CriterionResult>(), new Set<string>()]
  for (const { bytes, drop } of longestFirst(short, criteria, parts)) {
    if (excess <= 0) break
    drop()
    excess -= bytes
  }
  if (criteria.size + parts.size === 0) return { report: short, leftOut: null }
  const kept = Object.fromEntries(Object.entries(short).filter(([name]) => !parts.has(name)))
  return {
    report: { ...kept, criteria: report.criteria.map((one) => (criteria.has(one) ? withoutFindings(one) : one)) },
    leftOut: leftOutText(
      report.criteria.filter((one) => criteria.has(one)),
      [...parts]
    )
  }
}

/** The lists of findings, the longest first, which can be read by criterion; then the other parts, in the same way. */
const longestFirst = (report: AuditReport, criteria: Set<CriterionResult>, parts: Set<string>): ReadonlyArray<Part> => [
  ...report.criteria
    .map((one) => ({ bytes: bytesOf(one.findings ?? []), drop: () => void criteria.add(one) }))
    .toSorted(bySize),
  ...Object.entries(report)
    .flatMap(([name, part]) =>
      KEPT.has(name) || part === undefined ? [] : [{ bytes: bytesOf(part), drop: () => void parts.add(name) }]
    )
    .toSorted(bySize)
]

interface Part {
  readonly bytes: number
  readonly drop: () => void
}

const bySize = (one: Part, other: Part): number => other.bytes - one.bytes

const bytesOf = (part: unknown): number => Buffer.byteLength(JSON.stringify(part))

const withoutFindings = ({ findings = [], findings_left_out: before = 0, ...criterion }: CriterionResult) => ({
  ...criterion,
  findings_left_out: before + findings.length
})

const leftOutText = (criteria: ReadonlyArray<CriterionResult>, parts: ReadonlyArray<string>): string => {
  const findings =
    criteria.length === 0
      ? []
      : [
          `the findings of ${criteria.map(({ id }) => id).join(", ")}: call get_report with one of these as criterion to read them`
        ]
  const others =
    parts.length === 0
      ? []
      : [`${parts.join(", ")}: only the whole report has them, on the page of its run or by docgauge URL --format json`]
  return `Left out for length: ${[...findings, ...others].join("; ")}.`
}

const shortDrift = ({ findings, findings_left_out: leftOut = 0, ...counts }: DriftReport): DriftReport => {
  const more = leftOut + Math.max(0, findings.length - DRIFT_FINDINGS)
  return {
    ...counts,
    findings: findings.slice(0, DRIFT_FINDINGS),
    ...(more === 0 ? {} : { findings_left_out: more })
  }
}

/** Exchanges of one criterion that are shown with headers and body: pages of one site have nearly the same beginning. */
const IN_FULL = 5

/** An exchange that a criterion cites, with its index in the report. */
interface CitedExchange {
  readonly index: number
  readonly exchange: ReportedExchange
  /** Whether it is shown with headers and body: one of the first five that the criterion cites. */
  readonly inFull: boolean
}

/** The exchanges that a criterion cites, in the order of the report. */
export const citedBy = (criterion: CriterionResult, { exchanges = [] }: AuditReport): ReadonlyArray<CitedExchange> => {
  const cited = [...citedIn(criterion)]
  const first = new Set(cited.slice(0, IN_FULL))
  return cited
    .toSorted((one, other) => one - other)
    .flatMap((index) => {
      const exchange = exchanges[index]
      return exchange === undefined ? [] : [{ index, exchange, inFull: first.has(index) }]
    })
}

/** The same as JSON. */
export const shownExchange = ({ exchange, inFull, index }: CitedExchange): object => {
  if (inFull) return { index, ...exchange }
  const { body_bytes, failure, method, status, url } = exchange
  return { index, method, url, status, ...(failure === undefined ? {} : { failure }), body_bytes }
}
