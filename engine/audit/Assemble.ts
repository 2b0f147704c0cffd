import type { Finding } from "../criterion/Criterion.ts"
import type { BoundCriterion } from "../criterion/Registry.ts"
import { isAnswer } from "../evidence/Exchange.ts"
import type { LoadedCriterion, LoadedRubric } from "../rubric/RubricFile.ts"
import type { Outcome } from "./Measure.ts"
import { plainText } from "./PlainText.ts"
import type { AuditReport, CriterionResult, EvidenceItem, Reliability, Signal } from "./Report.ts"
import { categoryScores, judge, type Judgement, verdictOf } from "./Score.ts"
import { ENGINE_VERSION } from "./Version.ts"

/** Exchanges that a criterion cites at most. */
const EVIDENCE = 5

/** Addresses that a remedy names at most. */
const ADDRESSES = 10

export interface ReportParts {
  readonly url: string
  readonly date: string
  readonly rubric: LoadedRubric<BoundCriterion>
  /** By criterion. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly signals: ReadonlyArray<Signal>
  readonly reliability: Reliability
}

/** Puts the report together: judges, adds up, and cites. Pure. */
export const assembleReport = ({ date, outcomes, reliability, rubric, signals, url }: ReportParts): AuditReport => {
  const { criteria, digest, experimental, rubric: { categories, id, verdicts, version } } = rubric
  const judgements = new Map(criteria.map((criterion) => [criterion.definition.id, judge(criterion.levels, factsOf(outcomes, criterion))]))
  const scores = categoryScores(criteria, judgements)
  const total = scores.reduce((sum, { score }) => sum + score, 0)
  const max = scores.reduce((sum, category) => sum + category.max, 0)
  const resultOf = (criterion: LoadedCriterion<BoundCriterion>): ReadonlyArray<CriterionResult> => {
    const outcome = outcomes.get(criterion.definition.id)
    return outcome === undefined ? [] : [result(criterion, judge(criterion.levels, outcome.facts), outcome)]
  }
  return {
    base_url: url,
    audit_date: date,
    total_score: total,
    max_score: max,
    categories: Object.fromEntries(categories.map((category) => {
      const { score, max } = scores.find((one) => one.category === category.id) ?? { score: 0, max: category.points }
      return [category.key, { score, max, title: category.title }]
    })),
    criteria: criteria.flatMap(resultOf),
    verdict: verdictOf(verdicts, total),
    rubric: { id, version, digest },
    engine_version: ENGINE_VERSION,
    reliability,
    signals,
    experimental: experimental.flatMap(resultOf)
  }
}

const factsOf = (outcomes: ReportParts["outcomes"], { definition }: LoadedCriterion<BoundCriterion>) =>
  outcomes.get(definition.id)?.facts ?? null

const result = (
  { definition }: LoadedCriterion<BoundCriterion>,
  { earns, status }: Judgement,
  { facts, findings }: Outcome
): CriterionResult => {
  const [summary] = findings
  const bad = findings.slice(1).filter(({ good }) => !good)
  return {
    id: definition.id,
    status,
    score: earns,
    max: definition.points,
    evidence_url: summary.proof.url,
    title: definition.title,
    summary: plainText(summary.message),
    evidence: evidenceOf(findings),
    remedy: earns === definition.points
      ? null
      : { ...definition.remedy, addresses: distinct((bad.length === 0 ? [summary] : bad).map(({ proof }) => proof.url)).slice(0, ADDRESSES) },
    measured: { plugin: definition.plugin, revision: definition.revision, params: definition.params, facts }
  }
}

const evidenceOf = (findings: ReadonlyArray<Finding>): ReadonlyArray<EvidenceItem> => {
  const items = findings.map(({ message, proof }) => ({ url: proof.url, status: isAnswer(proof) ? proof.status : null, note: plainText(message) }))
  return items
    .filter((item, index) => items.findIndex(({ note, url }) => note === item.note && url === item.url) === index)
    .slice(0, EVIDENCE)
}

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]
