import type { Page, Table } from "../../page/Page.ts"
import { saysOld } from "./SaidOfCall.ts"
import {
  isAnswerLabel,
  isErrorColumn,
  isRequiredColumn,
  saysAnswers,
  saysErrors,
  saysFailureStatus,
  saysHeaders,
  saysRequests
} from "./TableWords.ts"

/** What a table is of: what callers send, or what a successful call is answered with. */
export type TableSide = "request" | "answer"

/** Tells the side of a page's tables; `null` for one that may be of anything else. */
export const tableSides = ({ sections, tables }: Page): ((table: Table) => TableSide | null) => {
  const counts = new Map<number, number>()
  for (const { section } of tables) counts.set(section, (counts.get(section) ?? 0) + 1)
  // Of a section with many tables the text is read once.
  const mentions = (says: (text: string) => boolean): ((section: number) => boolean) => {
    const known = new Map<number, boolean>()
    return (section) => {
      const said = known.get(section) ?? says(sections[section]?.text ?? "")
      known.set(section, said)
      return said
    }
  }
  const mentionsAnswers = mentions(saysAnswers)
  const mentionsErrors = mentions(saysErrors)
  const mentionsFailures = mentions(saysFailureStatus)

  return ({ caption, header, section }) => {
    const heading = sections[section]?.heading
    if (heading === undefined || saysOld(`${heading}\n${caption}`)) return null
    const isOneOfSeveral = (counts.get(section) ?? 0) > 1
    const names = header[0] ?? ""
    if (isAnswerLabel(caption === "" ? heading : caption)) {
      const isOfAny = caption === "" && (mentionsFailures(section) || (isOneOfSeveral && mentionsErrors(section)))
      return isOfAny || saysHeaders(names) || header.some(isErrorColumn) ? null : "answer"
    }
    if (saysAnswers(`${heading}\n${caption}`)) return null
    if (isOneOfSeveral && caption === "" && mentionsAnswers(section)) return null
    return saysRequests(`${heading}\n${caption}\n${names}`) || header.some(isRequiredColumn) ? "request" : null
  }
}
