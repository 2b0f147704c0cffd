import { isApplicable } from "../../../engine/audit/FixFirst.ts"
import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { rubricName } from "../../../engine/audit/RubricName.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { houseTrials } from "./HouseTrials.ts"
import type { GateResult } from "../../gate/Gates.ts"
import { fingerprints, locationOf, pascal, SARIF_TEXT, sarifLog } from "./SarifLog.ts"

/**
 * The findings against the site as a log in SARIF 2.1.0, for code scanning: a rule for each criterion, a result for each bad
 * finding of a criterion that misses points, with the page's source file, or else its URL, as its artifact. Results of a waived
 * criterion are suppressed with its reason: code scanning shows them as dismissed. House rules on trial are notes.
 */
export const renderReportSarif = (
  report: AuditReport,
  { gate: { waived } }: { readonly gate: Pick<GateResult, "waived"> }
): string => {
  const { criteria, pages = [] } = report
  const trials = houseTrials(report)
  const sources = new Map(pages.flatMap(({ source, url }) => (source === undefined ? [] : [[url, source] as const])))
  return sarifLog({
    version: report.engine_version,
    id: `docgauge/${plainText(report.base_url, 500)}/`,
    rules: [...criteria.map(ruleOf), ...trials.map(trialRule)],
    results: [
      ...criteria.flatMap((criterion, index) => resultsOf(criterion, index, sources, waived)),
      ...trials.flatMap((trial, index) =>
        resultsOf(trial, criteria.length + index, sources, waived).map((result) => ({ ...result, level: "note" }))
      )
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

const resultsOf = (
  criterion: CriterionResult,
  ruleIndex: number,
  sources: ReadonlyMap<string, string>,
  waived: GateResult["waived"]
) => {
  const { evidence_url: url, findings = [], id, max, score, status, summary } = criterion
  if (score === max || status === "inconclusive" || !isApplicable(criterion)) return []
  const bad = findings.filter(({ good }) => !good)
  const waiver = waived.get(id)
  const suppressed =
    waiver === undefined
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
        }
  const told = bad.length === 0 ? [{ url, note: summary }] : bad
  return told.map(({ note, url }) => ({
    ruleId: id,
    ruleIndex,
    level: status === "absent" ? "warning" : "note",
    message: { text: plainText(note, SARIF_TEXT) },
    locations: [locationOf(url, sources.get(url))],
    partialFingerprints: fingerprints([id, url, note]),
    ...suppressed
  }))
}
