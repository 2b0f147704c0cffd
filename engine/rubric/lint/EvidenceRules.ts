import { type EvidenceBook, type Grade, gradeOf, isPositive, MOST_POINTS, studiesOf } from "../evidence/Evidence.ts"
import type { Draft, DraftCriterion } from "../source/Draft.ts"
import { suggestion } from "../source/NearestName.ts"
import type { Diagnostic } from "../source/SourceText.ts"

/** The rubric whose points follow evidence, from this major version on. */
const PUBLISHED = { id: "docs-ai-readiness", major: 3 }

export const isPublished = ({ id, version }: Draft): boolean =>
  id?.value === PUBLISHED.id && Number(version?.value.split(".")[0]) >= PUBLISHED.major

/** The least points that rest on measured gains, of 100. */
const LEAST_POSITIVE = 70

/**
 * Points of the published rubric must not exceed what their evidence allows. Rubrics of other names may have other reasons, and
 * need not give any.
 */
export const evidenceDiagnostics = (draft: Draft, book: EvidenceBook): ReadonlyArray<Diagnostic> => {
  if (!isPublished(draft)) return []
  const judged = draft.criteria.filter(({ onTrial }) => !onTrial)
  return [
    ...judged.flatMap((criterion) => criterionDiagnostics(criterion, book)),
    ...positiveDiagnostics(draft, judged, book)
  ]
}

const criterionDiagnostics = (criterion: DraftCriterion, book: EvidenceBook): ReadonlyArray<Diagnostic> => {
  const { evidence, head, id, points } = criterion
  const name = id?.value ?? "this criterion"
  if (evidence.length === 0) {
    const hint = "list studies of evidence.yaml; where nothing was found, one of grade none"
    return [{ rule: "evidence", span: head, message: `${name} names no evidence`, hint }]
  }
  const known = book.studies.map((study) => study.id)
  const unknown = evidence.filter(({ value }) => !known.includes(value))
  if (unknown.length > 0)
    return unknown.map(({ span, value }) => ({
      rule: "evidence",
      span,
      message: `evidence.yaml has no study "${value}"`,
      hint: suggestion(value, known, "it has")
    }))
  const grade = gradeIn(criterion, book)
  if (points === null || points.value <= MOST_POINTS[grade]) return []
  const message = `evidence of grade "${grade}" allows ${name} at most ${MOST_POINTS[grade]} points, not ${points.value}`
  return [{ rule: "evidence", span: points.span, message }]
}

const positiveDiagnostics = (
  { head }: Draft,
  criteria: ReadonlyArray<DraftCriterion>,
  book: EvidenceBook
): ReadonlyArray<Diagnostic> => {
  const positive = criteria
    .filter((criterion) => isPositive(gradeIn(criterion, book)))
    .reduce((sum, { points }) => sum + (points?.value ?? 0), 0)
  if (positive >= LEAST_POSITIVE) return []
  const message = `${positive} points rest on measured gains, not ${LEAST_POSITIVE} at least`
  return [{ rule: "evidence", span: head, message }]
}

const gradeIn = ({ evidence }: DraftCriterion, book: EvidenceBook): Grade =>
  gradeOf(
    studiesOf(
      book,
      evidence.map(({ value }) => value)
    ).map(({ grade }) => grade)
  )
