import type { AuditReport, CriterionResult } from "../../engine/audit/Report.ts"

/** Findings of a criterion to show beside its summary. */
const SHOWN = 3

const lines = ({ findings = [], id, summary }: CriterionResult): ReadonlyArray<string> => {
  const others = findings.slice(1).filter(({ note }) => note !== summary)
  return [`${id} ${summary}`, ...others.slice(0, SHOWN).map(({ good, note }) => `   ${good ? "+" : "-"} ${note}`)]
}

/** What a report says of each criterion, or of some. */
export const sentences = ({ criteria }: AuditReport, only: (id: string) => boolean = () => true): string =>
  criteria
    .filter(({ id }) => only(id))
    .flatMap(lines)
    .join("\n")

/** How each file of kept sentences begins. */
export const HEAD =
  "# Sentences of reports, with none, one, two and many. A reader has read each line; read those that you change.\n\n"
