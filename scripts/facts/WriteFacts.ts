import * as Effect from "effect/Effect"
import type { FactsFile } from "../../engine/audit/compare/FactsFile.ts"
import { allCriteria } from "../../engine/audit/Report.ts"
import type { StoredReport } from "../../engine/audit/StoredRun.ts"

/** A report, and what its site is called in a facts file. */
export interface NamedReport {
  readonly name: string
  readonly report: StoredReport
}

type Result = StoredReport["criteria"][number]

/** The facts of reports that one rubric judged; fails if they are of several, or if there is none. */
export const factsOf = (
  reports: ReadonlyArray<NamedReport>
): Effect.Effect<FactsFile, "there are no reports" | "the reports are of several rubrics"> => {
  const [first] = reports
  if (first === undefined) return Effect.fail("there are no reports")
  const { rubric } = first.report
  if (reports.some(({ report }) => report.rubric.digest !== rubric.digest))
    return Effect.fail("the reports are of several rubrics")
  const criteria = new Map(
    [first.report.criteria, first.report.experimental].flatMap((results, part) =>
      results.map((result) => [result.id, criterionOf(result, part === 1, reports)] as const)
    )
  )
  return Effect.succeed({
    format: "docgauge-facts-1",
    rubric,
    criteria: Object.fromEntries(criteria),
    sites: reports.map(({ name, report }) => ({
      site: name,
      date: report.audit_date,
      score: report.total_score,
      verdict: report.verdict,
      reliable: report.reliability?.reliable !== false,
      results: Object.fromEntries(
        allCriteria(report).map((result) => [result.id, resultOf(result, criteria.get(result.id)?.facts ?? [])])
      )
    }))
  })
}

const criterionOf = (
  { id, max, measured: { params, plugin, revision }, title }: Result,
  onTrial: boolean,
  reports: ReadonlyArray<NamedReport>
): FactsFile["criteria"][string] => {
  const measured = reports.flatMap(({ report }) =>
    allCriteria(report)
      .filter((result) => result.id === id)
      .map((result) => result.measured)
  )
  const facts = [...new Set(measured.flatMap((each) => Object.keys(each.facts ?? {})))]
  return { title, max, on_trial: onTrial, plugin, revision, params, facts }
}

const resultOf = (
  { applicable, measured: { facts, uncertain }, score, status }: Result,
  names: ReadonlyArray<string>
): FactsFile["sites"][number]["results"][string] => ({
  status,
  score,
  ...(applicable === false ? { applicable } : {}),
  facts: facts === null ? null : names.map((name) => facts[name] ?? null),
  ...(uncertain === undefined ? {} : { uncertain })
})

/** JSON with one line per criterion and per site, so that a change of one shows as one line. */
export const encodeFacts = ({ criteria, format, rubric, sites }: FactsFile): string => {
  const lines = (parts: ReadonlyArray<string>): string => parts.map((part) => `\n${part}`).join(",")
  return `{"format":${JSON.stringify(format)},"rubric":${JSON.stringify(rubric)},
"criteria":{${lines(Object.entries(criteria).map(([id, criterion]) => `${JSON.stringify(id)}:${JSON.stringify(criterion)}`))}
},
"sites":[${lines(sites.map((site) => JSON.stringify(site)))}
]}
`
}
