import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { DRIFT_REASONS, type DriftFinding } from "../../engine/drift/Drift.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { fingerprints, locationOf, pascal, SARIF_TEXT, sarifLog } from "../render/report/SarifLog.ts"
import type { DriftOutcome } from "./DriftOutcome.ts"
import { likelyText } from "./DriftText.ts"
import { keyOf } from "./KnownDrift.ts"
import { sourceLine } from "./SourceLines.ts"

/** The findings as a log in SARIF 2.1.0, for code scanning: a rule for each reason, a result for each finding at its page, with the description beside it. */
export const driftSarif = (outcome: DriftOutcome): string => {
  const { compared, agreeing, false: wrong, findings, not_compared: notCompared } = outcome.drift
  return sarifLog({
    version: ENGINE_VERSION,
    id: `docgauge/drift/${plainText(outcome.url, 500)}/`,
    rules: RULES,
    results: findings.map((finding) => resultOf(finding, outcome)),
    properties: { compared, agreeing, false: wrong, notCompared }
  })
}

const REASONS = Object.keys(DRIFT_REASONS)

const RULES = Object.entries(DRIFT_REASONS).map(([id, meaning]) => ({
  id,
  name: pascal(id),
  shortDescription: { text: meaning },
  defaultConfiguration: { level: "warning" },
  properties: { tags: ["documentation", "drift"] }
}))

const resultOf = (finding: DriftFinding, { baseline, fresh, sources }: DriftOutcome) => {
  const { message, reason } = finding
  const related = relatedOf(finding)
  return {
    ruleId: reason,
    ruleIndex: REASONS.indexOf(reason),
    level: "warning",
    message: { text: plainText([message, likelyText(finding)].join(" ").trim(), SARIF_TEXT) },
    locations: placesOf(finding, sources),
    ...(related.length === 0 ? {} : { relatedLocations: related }),
    partialFingerprints: fingerprints([keyOf(finding)]),
    ...(baseline === null ? {} : { baselineState: fresh.has(finding) ? "new" : "unchanged" })
  }
}

/** The page, or the description for an example of it. */
const placesOf = (finding: DriftFinding, sources: DriftOutcome["sources"]) => {
  const { description, page } = finding
  if (page === null) return description === null ? [] : [inDescription(description)]
  const source = sources.get(page.url)
  const line = source?.isAsWritten === true ? page.line : sourceLine(source?.lines ?? [], finding)
  return [locationOf(page.url, source?.file, line ?? 1)]
}

/** The other side. */
const relatedOf = ({ description, other, page }: DriftFinding) =>
  [
    ...(page === null || description === null
      ? []
      : [{ ...inDescription(description), message: { text: "The API description" } }]),
    ...(other === undefined || other === null
      ? []
      : [{ ...locationOf(other.url, undefined), message: { text: "The other page" } }])
  ].map((location, id) => ({ id, ...location }))

/** A place in the description: at its URL, or in the file of `--spec`. */
const inDescription = ({ pointer, url }: NonNullable<DriftFinding["description"]>) => ({
  ...locationOf(url, URL.canParse(url) ? undefined : url),
  logicalLocations: [{ fullyQualifiedName: plainText(pointer === "" ? "/" : pointer, SARIF_TEXT), kind: "member" }]
})
