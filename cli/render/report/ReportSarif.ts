import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { rubricName } from "../../../engine/audit/RubricName.ts"
import { type MissedFinding, missedFindings, reportView } from "../../../engine/report/ReportView.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { houseTrials } from "./HouseTrials.ts"
import type { GateResult } from "../../gate/Gates.ts"
import { fingerprints, locationOf, messageAt, pascal, SARIF_TEXT, sarifLog } from "./SarifLog.ts"

/**
 * The findings against the site as a log in SARIF 2.1.0, for code scanning: a rule for each criterion, a result for each bad
 * finding of a criterion that misses points, with the page's source file, or else a path made of its URL, as its artifact. Results of a waived
 * criterion are suppressed with its reason: code scanning shows them as dismissed. House rules on trial are notes.
 */
export const renderReportSarif = (
  report: AuditReport,
  { gate: { waived } }: { readonly gate: Pick<GateResult, "waived"> }
): string => {
  const { criteria } = report
  const trials = houseTrials(report)
  const places = new Map([...criteria, ...trials].map((criterion, index) => [criterion, index]))
  const resultsOf = (findings: ReadonlyArray<MissedFinding>) =>
    findings.map((finding) => resultOf(finding, places.get(finding.criterion) ?? 0, waived))
  return sarifLog({
    version: report.engine_version,
    id: `docgauge/${plainText(report.base_url, 500)}/`,
    rules: [...criteria.map(ruleOf), ...trials.map(trialRule)],
    results: [
      ...resultsOf(reportView(report).missed),
      ...resultsOf(missedFindings(report, trials)).map((result) => ({ ...result, level: "note" }))
    ],
    properties: {
      score: report.total_score,
      maxScore: report.max_score,
      reliable: report.reliability.reliable,
      rubric: rubricName(report.rubric)
    }
  })
}

const ruleOf = ({ id, max, remedy, title }: CriterionResult) => ({
  id,
  name: pascal(title),
  shortDescription: { text: title },
  defaultConfiguration: { level: "warning" },
  ...(remedy === null || remedy.steps.length === 0
    ? {}
    : { help: { text: remedy.steps.join("\n"), markdown: remedy.steps.map((step) => `- ${step}`).join("\n") } }),
  properties: { points: max, tags: ["documentation", "ai-agents"] }
})

/** On trial, a rule earns no points. */
const trialRule = (trial: CriterionResult) => ({
  ...ruleOf(trial),
  defaultConfiguration: { level: "note" },
  properties: { points: 0, tags: ["documentation", "ai-agents", "on-trial"] }
})

const resultOf = ({ criterion, note, source, url }: MissedFinding, ruleIndex: number, waived: GateResult["waived"]) => {
  const waiver = waived.get(criterion.id)
  return {
    ruleId: criterion.id,
    ruleIndex,
    level: criterion.status === "absent" ? "warning" : "note",
    message: { text: messageAt(note, url) },
    locations: [locationOf(url, source)],
    partialFingerprints: fingerprints([criterion.id, url, note]),
    ...(waiver === undefined
      ? {}
      : {
          suppressions: [
            {
              kind: "external",
              status: "accepted",
              justification: plainText(
                `${waiver.until === null ? "" : `until ${waiver.until}: `}${waiver.reason}`,
                SARIF_TEXT
              )
            }
          ]
        })
  }
}
