import { curlOf, outcomeText } from "../../../engine/audit/render/Curl.ts"
import type { ReportedExchange } from "../../../engine/audit/exchanges/ReportedExchange.ts"
import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { NOTE, siteLines, siteText } from "./SiteText.ts"

/** The criteria of a report, those on trial last. */
export const allCriteria = ({ criteria, experimental }: AuditReport): ReadonlyArray<CriterionResult> => [
  ...criteria,
  ...experimental
]

const findingsOf = ({ evidence, findings }: CriterionResult) => findings ?? evidence

/** The exchanges that a criterion cites, with their indices in the report. */
export const citedBy = (
  criterion: CriterionResult,
  { exchanges = [] }: AuditReport
): ReadonlyArray<readonly [index: number, exchange: ReportedExchange]> => {
  const indices = new Set([...criterion.evidence, ...findingsOf(criterion)].flatMap(({ exchange }) => exchange ?? []))
  return exchanges.flatMap((exchange, index) => (indices.has(index) ? [[index, exchange] as const] : []))
}

/** Everything behind the verdict on one criterion, for an agent: Markdown in which all text influenced by the site is fenced. */
export const criterionText = (criterion: CriterionResult, report: AuditReport): string => {
  const { findings_left_out: leftOut = 0, id, max, score, status, title } = criterion
  const findings = findingsOf(criterion)
  const points = report.experimental.includes(criterion) ? "on trial" : `${score}/${max}`
  return `${[
    `# ${id} ${title}: ${points}, ${status}`,
    NOTE,
    "## Findings",
    findings
      .map(({ exchange, note }) => `- ${siteText(note)}${exchange === undefined ? "" : ` [${exchange}]`}`)
      .join("\n"),
    ...(leftOut === 0 ? [] : [`The report leaves out ${counted(leftOut, "more finding")}.`]),
    "## Requests and responses",
    ...citedBy(criterion, report).map(([index, exchange]) => exchangeText(index, exchange))
  ].join("\n\n")}\n`
}

const exchangeText = (index: number, exchange: ReportedExchange): string => {
  const { body, headers, redirects = [] } = exchange
  return [
    `### [${index}] ${outcomeText({ ...exchange, failure: "see below" })}`,
    siteLines(
      [
        curlOf(exchange) ?? `${exchange.method} ${exchange.url} (never sent)`,
        ...(exchange.failure === undefined ? [] : [exchange.failure]),
        ...redirects.map(({ location, status }) => `${status} to ${location}`),
        ...headers,
        ...(body === null ? [] : ["", body])
      ].join("\n")
    )
  ].join("\n\n")
}
