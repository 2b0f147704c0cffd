import type { EvidenceBook } from "../evidence/Evidence.ts"
import type { Lint } from "../RubricFile.ts"
import { evidenceDiagnostics, isPublished } from "./EvidenceRules.ts"
import { nothingJudged } from "./NothingJudged.ts"
import { looseNumbers } from "./NumberRules.ts"
import { remedyDiagnostics } from "../rules/RemedyRules.ts"
import { textDiagnostics } from "../rules/TextRules.ts"

/**
 * Lint rules that `rubric check` reports and an audit ignores.
 *
 * @param evidence the studies that the published rubric cites.
 */
export const checkDiagnostics =
  (evidence: EvidenceBook): Lint =>
  (draft, linked, { base, namesNumbers, source }) => [
    ...textDiagnostics(draft),
    ...(namesNumbers
      ? looseNumbers(draft, source, base === null && isPublished(draft) ? "text_number" : "loose_number")
      : []),
    ...remedyDiagnostics(draft, linked),
    ...nothingJudged(draft, linked),
    ...(base === null ? evidenceDiagnostics(draft, evidence) : [])
  ]
