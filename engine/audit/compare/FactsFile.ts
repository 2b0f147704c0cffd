import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { FactRecord } from "../../plugin/Fact.ts"
import { allCriteria, AuditReport, CriterionResult, Measured } from "../Report.ts"
import type { StoredReport, StoredRun } from "../StoredRun.ts"

/** What facts are: numbers, flags and the words that plugins declare. Nothing of a page fits. */
const Value = Schema.Union([Schema.Finite, Schema.Boolean, Schema.String.check(Schema.isPattern(/^[\w -]{0,40}$/u))])

const Name = Schema.String.check(Schema.isPattern(/^[\w.-]{1,60}$/u))

/** A criterion's part that is the same for all sites. */
const FactsCriterion = Schema.Struct({
  title: CriterionResult.fields.title,
  max: CriterionResult.fields.max,
  on_trial: Schema.Boolean,
  plugin: Measured.fields.plugin,
  revision: Measured.fields.revision,
  params: Measured.fields.params,
  /** The names of its facts, in the order of each site's values. */
  facts: Schema.Array(Schema.String)
})

const FactsResult = Schema.Struct({
  status: CriterionResult.fields.status,
  score: CriterionResult.fields.score,
  applicable: CriterionResult.fields.applicable,
  /** `null` instead of a value: that fact was not measured; instead of all: the criterion could not be checked. */
  facts: Schema.NullOr(Schema.Array(Schema.NullOr(Value))),
  uncertain: Measured.fields.uncertain
})

const FactsSite = Schema.Struct({
  site: Name,
  date: AuditReport.fields.audit_date,
  score: AuditReport.fields.total_score,
  verdict: AuditReport.fields.verdict,
  reliable: Schema.Boolean,
  results: Schema.Record(Schema.String, FactsResult)
})

/**
 * The facts and statuses of many sites, without anything of their pages: enough to judge them again by another rubric, and small
 * enough to publish.
 */
export const FactsFile = Schema.Struct({
  format: Schema.Literal("docgauge-facts-1"),
  rubric: AuditReport.fields.rubric,
  criteria: Schema.Record(Schema.String, FactsCriterion),
  sites: Schema.Array(FactsSite)
})
export type FactsFile = typeof FactsFile.Type

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

/** The runs of a facts file. They have no archives, so they say nothing about a plugin of another revision. */
export const runsOfFacts = ({ criteria, rubric, sites }: FactsFile, file: string): ReadonlyArray<StoredRun> =>
  sites.map(({ date, reliable, results, score, site, verdict }): StoredRun => {
    const read = Object.entries(results).flatMap(([id, result]) => {
      const criterion = criteria[id]
      return criterion === undefined
        ? []
        : [{ onTrial: criterion.on_trial, result: storedResult(id, criterion, result) }]
    })
    return {
      name: `${file}: ${site}`,
      facts: true,
      archive: Effect.fail("a file of facts has no archives: these facts must be recorded again"),
      report: {
        base_url: site,
        audit_date: date,
        total_score: score,
        verdict,
        rubric,
        reliability: { reliable },
        criteria: read.filter(({ onTrial }) => !onTrial).map(({ result }) => result),
        experimental: read.filter(({ onTrial }) => onTrial).map(({ result }) => result)
      }
    }
  })

const storedResult = (
  id: string,
  { facts: names, max, params, plugin, revision, title }: FactsFile["criteria"][string],
  { applicable, facts, score, status, uncertain }: FactsFile["sites"][number]["results"][string]
): Result => ({
  id,
  title,
  max,
  status,
  score,
  ...(applicable === undefined ? {} : { applicable }),
  measured: {
    plugin,
    revision,
    params,
    facts: facts === null ? null : recordOf(names, facts),
    ...(uncertain === undefined ? {} : { uncertain })
  }
})

const recordOf = (names: ReadonlyArray<string>, values: ReadonlyArray<FactRecord[string] | null>): FactRecord =>
  Object.fromEntries(
    names.flatMap((name, index) => {
      const value = values[index] ?? null
      return value === null ? [] : [[name, value] as const]
    })
  )

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
