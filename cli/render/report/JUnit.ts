import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { isApplicable } from "../../../engine/audit/FixFirst.ts"
import { escapeMarkup } from "../../../engine/text/MarkupText.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import type { GateResult, GoalCheck } from "../../gate/Gates.ts"

/** Characters of a message. */
const MESSAGE = 1_000

/**
 * Test results as CI servers read them (the XML of JUnit). A test fails exactly where `docgauge` does: goals are tests. Each
 * criterion is a test, too; one that misses points is skipped with what was seen, so that it shows without failing the build.
 */
export const renderJUnit = (report: AuditReport, { gate }: { readonly gate: GateResult }): string => {
  const suites: ReadonlyArray<Suite> = [
    { name: "Goals", cases: goalCases(gate) },
    ...Object.entries(report.categories).map(([key, { max, score, title }]): Suite => ({
      name: `${key.slice(0, 1)} ${title} (${score} of ${max} points)`,
      cases: report.criteria
        .filter(({ id }) => id.startsWith(key.slice(0, 1)))
        .map((criterion) => criterionCase(criterion, gate))
    }))
  ].filter(({ cases }) => cases.length > 0)
  const all = suites.flatMap(({ cases }) => cases)
  // Jenkins' schema allows no `skipped` here: its xUnit plug-in would reject the file.
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${attribute(`docgauge ${report.base_url}: ${report.total_score} of ${report.max_score}`)}" ${counts(all)} time="0">
${suites.map((suite) => suiteXml(suite, report)).join("\n")}
</testsuites>
`
}

interface Suite {
  readonly name: string
  readonly cases: ReadonlyArray<Case>
}

interface Case {
  readonly name: string
  readonly outcome: { readonly tag: "failure" | "skipped"; readonly message: string } | null
}

const goalCases = ({ checks, unreliable }: GateResult): ReadonlyArray<Case> => [
  ...(unreliable === null
    ? []
    : [{ name: "report is reliable", outcome: { tag: "failure", message: unreliable } } as const]),
  ...checks.map(({ goal, message }: GoalCheck): Case => ({
    name: goal,
    outcome: message === null ? null : { tag: "failure", message }
  }))
]

const criterionCase = (criterion: CriterionResult, { waived }: GateResult): Case => {
  const { id, max, score, status, summary, title } = criterion
  const waiver = waived.get(id)
  const note =
    waiver === undefined ? "" : ` Waived${waiver.until === null ? "" : ` until ${waiver.until}`}: ${waiver.reason}`
  const seen = isApplicable(criterion)
    ? `${status}, ${score} of ${max} points. ${summary}`
    : `does not apply. ${summary}`
  return { name: `${id} ${title}`, outcome: status === "present" ? null : { tag: "skipped", message: seen + note } }
}

const suiteXml = ({ cases, name }: Suite, { audit_date: date, base_url: url }: AuditReport): string =>
  `  <testsuite name="${attribute(name)}" ${counts(cases)} skipped="${countOf(cases, "skipped")}" time="0" timestamp="${attribute(`${date}T00:00:00`)}">
${cases.map((test) => caseXml(test, url)).join("\n")}
  </testsuite>`

const caseXml = ({ name, outcome }: Case, url: string): string => {
  const open = `    <testcase name="${attribute(name)}" classname="${attribute(url)}" time="0"`
  if (outcome === null) return `${open}/>`
  const content = outcome.tag === "failure" ? `>${attribute(outcome.message)}</failure>` : "/>"
  return `${open}>\n      <${outcome.tag} message="${attribute(outcome.message)}"${content}\n    </testcase>`
}

const counts = (cases: ReadonlyArray<Case>): string =>
  `tests="${cases.length}" failures="${countOf(cases, "failure")}" errors="0"`

const countOf = (cases: ReadonlyArray<Case>, tag: "failure" | "skipped"): number =>
  cases.filter(({ outcome }) => outcome?.tag === tag).length

/** Escaped, on one line, and without the characters that XML forbids. */
const attribute = (text: string): string =>
  escapeMarkup(
    plainText(text, MESSAGE).replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}")
  )
