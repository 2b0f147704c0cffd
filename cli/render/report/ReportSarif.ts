import { createHash } from "node:crypto"
import { isApplicable } from "../../../engine/audit/FixFirst.ts"
import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { rubricName } from "../../../engine/audit/render/RubricName.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import type { GateResult } from "../../gate/Gates.ts"

/** Characters of a message. */
const MESSAGE = 1_000

/** GitHub reads at most 5,000 results of a run; the most that our criteria list is 200 each. */
const RESULTS = 5_000

/**
 * The findings against the site as a log in SARIF 2.1.0, for code scanning: a rule for each criterion, a result for each bad
 * finding of a criterion that misses points, with the page's source file, or else its URL, as its artifact. Results of a waived
 * criterion are suppressed with its reason: code scanning shows them as dismissed.
 */
export const renderReportSarif = (
  report: AuditReport,
  { gate: { waived } }: { readonly gate: Pick<GateResult, "waived"> }
): string => {
  const { criteria, pages = [] } = report
  const sources = new Map(pages.flatMap(({ source, url }) => (source === undefined ? [] : [[url, source] as const])))
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "docgauge",
            version: report.engine_version,
            semanticVersion: report.engine_version,
            rules: criteria.map(ruleOf)
          }
        },
        automationDetails: { id: `docgauge/${plainText(report.base_url, 500)}/` },
        columnKind: "utf16CodeUnits",
        results: criteria.flatMap((criterion, index) => resultsOf(criterion, index, sources, waived)).slice(0, RESULTS),
        properties: {
          score: report.total_score,
          maxScore: report.max_score,
          reliable: report.reliability.reliable,
          rubric: rubricName(report.rubric)
        }
      }
    ]
  }
  return `${JSON.stringify(log, null, 2)}\n`
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
                MESSAGE
              )
            }
          ]
        }
  const told = bad.length === 0 ? [{ url, note: summary }] : bad
  return told.map(({ note, url }) => ({
    ruleId: id,
    ruleIndex,
    level: status === "absent" ? "warning" : "note",
    message: { text: plainText(note, MESSAGE) },
    locations: [locationOf(url, sources)],
    partialFingerprints: {
      "docgauge/v1": createHash("sha256").update(`${id}\n${url}\n${note}`).digest("hex").slice(0, 32)
    },
    ...suppressed
  }))
}

/** Where a finding is: in the page's source file where the page links to it, else at the page's URL. */
const locationOf = (url: string, sources: ReadonlyMap<string, string>) => {
  const source = sources.get(url)
  return {
    physicalLocation: {
      artifactLocation: { uri: source === undefined ? uriOf(url) : strict(source) },
      region: { startLine: 1 }
    },
    ...(source === undefined
      ? {}
      : { logicalLocations: [{ fullyQualifiedName: plainText(url, MESSAGE), kind: "resource" }] })
  }
}

/** A URL by RFC 3986, which allows fewer characters than browsers: no brackets outside the host, and no `%` without two digits. */
const uriOf = (url: string): string => {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.host === "") return "about:blank"
  const { hash, host, pathname, protocol, search } = parsed
  return `${protocol}//${host}${strict(pathname)}${search === "" ? "" : `?${strict(search.slice(1))}`}${hash === "" ? "" : `#${strict(hash.slice(1))}`}`
}

/** A part of a URI with every character escaped that has no place there. */
const strict = (part: string): string =>
  part
    .toWellFormed()
    .replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]/gu, (character) =>
      character === "%" ? "%25" : encodeURIComponent(character)
    )

const pascal = (title: string): string =>
  title
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .split(" ")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
