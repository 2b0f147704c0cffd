import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { FactRecord } from "../../plugin/Fact.ts"
import { AuditReport, CriterionResult, Measured } from "../Report.ts"
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

type Result = StoredReport["criteria"][number]

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
