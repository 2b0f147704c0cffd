import { DRIFT_KINDS, type DriftFinding, type DriftKind } from "../../engine/drift/Drift.ts"
import { junitXml, type TestCase, type TestSuite } from "../render/report/JUnit.ts"
import { pluralOf } from "./DriftKinds.ts"
import type { DriftOutcome } from "./DriftOutcome.ts"
import { countsText } from "./DriftText.ts"

/** Test results: a test for each kind and page with findings, which fails if one is new, and one for all that agrees. */
export const driftJUnit = (outcome: DriftOutcome): string => {
  const suites = DRIFT_KINDS.map((kind): TestSuite => ({ name: pluralOf(kind), cases: casesOf(kind, outcome) }))
  const agreement: TestSuite = { name: "all", cases: [{ name: countsText(outcome), outcome: null }] }
  return junitXml(`drift ${outcome.url}`, [agreement, ...suites.filter(({ cases }) => cases.length > 0)], {
    audit_date: outcome.date,
    base_url: outcome.url
  })
}

const casesOf = (kind: DriftKind, { drift, fresh }: DriftOutcome): ReadonlyArray<TestCase> => {
  const findings = drift.findings.filter((finding) => finding.kind === kind)
  const places = Map.groupBy(findings, ({ description, page }) => page?.url ?? description?.url ?? "")
  return [...places].map(([name, all]): TestCase => {
    const failing = all.filter((finding) => fresh.has(finding))
    return failing.length === 0
      ? { name, outcome: { tag: "skipped", message: `Known: ${messages(all)}` } }
      : { name, outcome: { tag: "failure", message: messages(failing) } }
  })
}

const messages = (findings: ReadonlyArray<DriftFinding>): string => findings.map(({ message }) => message).join(" ")
