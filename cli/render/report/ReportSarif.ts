import { createHash } from "node:crypto"
import { type AuditReport, type CriterionResult, rubricName } from "../../../engine/audit/Report.ts"
import { type MissedFinding, missedFindings, reportView } from "../../../engine/report/ReportView.ts"
import { houseTrials } from "./HouseTrials.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import type { GateResult } from "../../gate/Gates.ts"

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

/*
 * What logs in SARIF 2.1.0 about a site have in common, for code scanning.
 */

/** Characters of a message. */
export const SARIF_TEXT = 1_000

/** GitHub reads at most 5,000 results of a run. */
const RESULTS = 5_000

/** What one run of docgauge found. */
interface SarifRun {
  readonly version: string
  /** Names the analysis: GitHub keeps the results of each apart. */
  readonly id: string
  readonly rules: ReadonlyArray<object>
  readonly results: ReadonlyArray<object>
  readonly properties: Readonly<Record<string, string | number | boolean>>
}

export const sarifLog = ({ id, properties, results, rules, version }: SarifRun): string => {
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "docgauge", version, semanticVersion: version, rules } },
        automationDetails: { id },
        columnKind: "utf16CodeUnits",
        results: results.slice(0, RESULTS),
        properties
      }
    ]
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

/** By these, a result is the same as one of an earlier run. */
export const fingerprints = (parts: ReadonlyArray<string>) => ({
  "docgauge/v1": createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32)
})

/** A finding with its URL, which the list of code scanning shows nowhere else. */
export const messageAt = (note: string, url: string): string => {
  const place = ` (${plainText(url, SARIF_TEXT / 2)})`
  return plainText(note, SARIF_TEXT - place.length) + place
}

/**
 * Where a finding is: in the page's source file where the page links to it, else at a path made of its URL; in its first line unless
 * another is known. GitHub refuses a log with URLs from a checkout, so that all paths are relative.
 */
export const locationOf = (url: string, source: string | null, line = 1) => ({
  physicalLocation: {
    artifactLocation: { uri: relativeUri(source ?? pathOf(url)) },
    region: { startLine: line }
  },
  logicalLocations: [{ fullyQualifiedName: plainText(url, SARIF_TEXT), kind: "resource" }]
})

/** `docs.example.com/guide/`: no file of the repository, but a path that tells the page. */
const pathOf = (url: string): string => {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.hostname === "") return "unknown"
  return `${parsed.hostname.replaceAll(/[[\]]/g, "").replaceAll(":", "-")}${parsed.pathname}${parsed.search}`
}

/** A path as a relative reference by RFC 3986: a first segment with a colon would be read as a scheme. */
const relativeUri = (path: string): string => (/^[^/]*:/.test(path) ? "./" : "") + strictUri(path)

/** A part of a URI with every character escaped that has no place there. */
const strictUri = (part: string): string =>
  part
    .toWellFormed()
    .replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]/gu, (character) =>
      character === "%" ? "%25" : encodeURIComponent(character)
    )

/** The name of a rule: `GetOrders`. */
export const pascal = (title: string): string =>
  title
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .split(" ")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
