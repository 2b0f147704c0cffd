import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { isApplicable } from "../../../engine/audit/FixFirst.ts"
import { DOES_NOT_APPLY, reportView, scoreOfAll } from "../../../engine/report/ReportView.ts"
import { houseTrials } from "./HouseTrials.ts"
import { escapeMarkup } from "../../../engine/text/MarkupText.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import type { GateResult, GoalCheck } from "../../gate/Gates.ts"

/** Characters of a message. */
const MESSAGE = 1_000

/**
 * Test results as CI servers read them (the XML of JUnit). A test fails exactly where `docgauge` does: goals are tests. Each
 * criterion and each house rule on trial is a test, too; one that misses points is skipped with what was seen, so that it shows
 * without failing the build.
 */
export const renderJUnit = (report: AuditReport, { gate }: { readonly gate: GateResult }): string => {
  const suites: ReadonlyArray<TestSuite> = [
    { name: "Goals", cases: goalCases(gate) },
    ...reportView(report).categories.map(({ applies, criteria, letter, max, score, title }): TestSuite => ({
      name: `${letter} ${title} (${applies ? `${score} of ${max} points` : `–, ${DOES_NOT_APPLY}`})`,
      cases: criteria.map((criterion) => criterionCase(criterion, gate))
    })),
    { name: "On trial (without points)", cases: houseTrials(report).map((trial) => trialCase(trial, gate)) }
  ].filter(({ cases }) => cases.length > 0)
  return junitXml(`${report.base_url}: ${scoreOfAll(report)}`, suites, report)
}

/** Tests under one heading. */
export interface TestSuite {
  readonly name: string
  readonly cases: ReadonlyArray<TestCase>
}

export interface TestCase {
  readonly name: string
  readonly outcome: { readonly tag: "failure" | "skipped"; readonly message: string } | null
}

const goalCases = ({ checks, unreliable }: GateResult): ReadonlyArray<TestCase> => [
  ...(unreliable === null
    ? []
    : [{ name: "report is reliable", outcome: { tag: "failure", message: unreliable } } as const]),
  ...checks.map(({ goal, message, outcome }: GoalCheck): TestCase => ({
    name: goal,
    outcome: message === null ? null : { tag: outcome === "skipped" ? "skipped" : "failure", message }
  }))
]

const criterionCase = (criterion: CriterionResult, gate: GateResult): TestCase =>
  caseOf(criterion, `${criterion.status}, ${criterion.score} of ${criterion.max} points`, gate)

/** It earns nothing, so its points are not told. */
const trialCase = (trial: CriterionResult, gate: GateResult): TestCase => caseOf(trial, trial.status, gate)

/** `outcome`: the criterion's status in words. */
const caseOf = (criterion: CriterionResult, outcome: string, { waived }: GateResult): TestCase => {
  const { id, status, summary, title } = criterion
  const waiver = waived.get(id)
  const note =
    waiver === undefined ? "" : ` Waived${waiver.until === null ? "" : ` until ${waiver.until}`}: ${waiver.reason}`
  const seen = isApplicable(criterion) ? `${outcome}. ${summary}` : `does not apply. ${summary}`
  return { name: `${id} ${title}`, outcome: status === "present" ? null : { tag: "skipped", message: seen + note } }
}

/** When which site was audited. */
type Audited = Pick<AuditReport, "audit_date" | "base_url">

/** The XML of suites, after the words that name the run. */
export const junitXml = (name: string, suites: ReadonlyArray<TestSuite>, audited: Audited): string => {
  const all = suites.flatMap(({ cases }) => cases)
  // Jenkins' schema allows no `skipped` here: its xUnit plug-in would reject the file.
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${attribute(`docgauge ${name}`)}" ${counts(all)} time="0">
${suites.map((suite) => suiteXml(suite, audited)).join("\n")}
</testsuites>
`
}

const suiteXml = ({ cases, name }: TestSuite, { audit_date: date, base_url: url }: Audited): string =>
  `  <testsuite name="${attribute(name)}" ${counts(cases)} skipped="${countOf(cases, "skipped")}" time="0" timestamp="${attribute(`${date}T00:00:00`)}">
${cases.map((test) => caseXml(test, url)).join("\n")}
  </testsuite>`

const caseXml = ({ name, outcome }: TestCase, url: string): string => {
  const open = `    <testcase name="${attribute(name)}" classname="${attribute(url)}" time="0"`
  if (outcome === null) return `${open}/>`
  const content = outcome.tag === "failure" ? `>${attribute(outcome.message)}</failure>` : "/>"
  return `${open}>\n      <${outcome.tag} message="${attribute(outcome.message)}"${content}\n    </testcase>`
}

const counts = (cases: ReadonlyArray<TestCase>): string =>
  `tests="${cases.length}" failures="${countOf(cases, "failure")}" errors="0"`

const countOf = (cases: ReadonlyArray<TestCase>, tag: "failure" | "skipped"): number =>
  cases.filter(({ outcome }) => outcome?.tag === tag).length

/** Escaped, on one line, and without the characters that XML forbids. */
const attribute = (text: string): string =>
  escapeMarkup(
    plainText(text, MESSAGE).replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}")
  )
