import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { AuditReport, EvidenceItem } from "../Report.ts"

/** A report in the specification's format by any author: a model, another tool, or docgauge. Other fields are ignored. */
export const ForeignReport = Schema.Struct({
  base_url: Schema.String,
  audit_date: Schema.optionalKey(Schema.String),
  total_score: Schema.Finite,
  max_score: Schema.optionalKey(Schema.Finite),
  reliability: Schema.optionalKey(Schema.Unknown),
  criteria: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      status: Schema.String,
      score: Schema.Finite,
      max: Schema.optionalKey(Schema.Finite),
      evidence_url: Schema.optionalKey(Schema.NullOr(Schema.String)),
      summary: Schema.optionalKey(Schema.String)
    })
  )
})
export type ForeignReport = typeof ForeignReport.Type

/** One criterion as two audits saw it. */
export interface ComparedCriterion {
  readonly id: string
  readonly title: string
  readonly max: number
  readonly ours: { readonly status: string; readonly score: number }
  /** `null` where the other audit does not have the criterion. */
  readonly theirs: {
    readonly status: string
    readonly score: number
    readonly evidenceUrl: string | null
    readonly summary: string | null
  } | null
  readonly agrees: boolean
  readonly summary: string
  readonly evidence: ReadonlyArray<EvidenceItem>
}

/** Two audits of one site side by side, criterion by criterion. */
export interface Comparison {
  readonly baseUrl: string
  readonly theirBaseUrl: string
  readonly ours: number
  readonly theirs: number
  readonly oursReliable: boolean
  /** `true` if the other report does not say. */
  readonly theirsReliable: boolean
  /** Criteria that both have and score alike. */
  readonly agreements: number
  /** Criteria that both have. */
  readonly shared: number
  readonly criteria: ReadonlyArray<ComparedCriterion>
  /** Criteria that the other audit has and ours does not. */
  readonly unknown: ReadonlyArray<string>
}

/** Holds our report against another auditor's. */
export const compareReports = (ours: AuditReport, theirs: ForeignReport): Comparison => {
  const others = new Map(theirs.criteria.map((criterion) => [criterion.id, criterion]))
  const criteria = ours.criteria.map(({ evidence, id, max, score, status, summary, title }): ComparedCriterion => {
    const other = others.get(id)
    return {
      id,
      title,
      max,
      summary,
      evidence,
      ours: { status, score },
      theirs:
        other === undefined
          ? null
          : {
              status: other.status,
              score: other.score,
              evidenceUrl: other.evidence_url ?? null,
              summary: other.summary ?? null
            },
      agrees: other !== undefined && other.score === score
    }
  })
  const known = new Set(ours.criteria.map(({ id }) => id))
  return {
    baseUrl: ours.base_url,
    theirBaseUrl: theirs.base_url,
    ours: ours.total_score,
    theirs: theirs.total_score,
    oursReliable: ours.reliability.reliable,
    theirsReliable: !(Predicate.hasProperty(theirs.reliability, "reliable") && theirs.reliability.reliable === false),
    agreements: criteria.filter(({ agrees }) => agrees).length,
    shared: criteria.filter(({ theirs }) => theirs !== null).length,
    criteria,
    unknown: theirs.criteria.flatMap(({ id }) => (known.has(id) ? [] : [id]))
  }
}
