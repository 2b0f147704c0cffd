import type { AuditReport } from "../Report.ts"

/** `41 of the 69 points that apply`; empty if all criteria apply, or the report does not say. */
export const applicableText = ({ applicable_score: applicable, max_score: all }: AuditReport): string =>
  applicable === undefined || applicable.max === all
    ? ""
    : `${applicable.score} of the ${applicable.max} points that apply`
