import { type DriftFinding, LONGEST_DRIFT_TEXT } from "../../drift/Drift.ts"
import type { NotComparedReason } from "../../drift/match/MatchCall.ts"
import type { Exchange } from "../../evidence/Exchange.ts"
import { plainText } from "../../text/PlainText.ts"

/** What of one kind was compared. */
export interface DriftCounts {
  readonly compared: number
  readonly agreeing: number
  readonly false: number
  readonly notCompared: number
}

/** Something false, and the exchange that shows it. */
export interface ProvenFinding {
  readonly finding: DriftFinding
  readonly proof: Exchange
}

export interface Compared {
  readonly counts: DriftCounts
  /** How many were not compared, for each reason that is known. */
  readonly because?: ReadonlyMap<NotComparedReason, number>
  readonly findings: ReadonlyArray<ProvenFinding>
}

/** A text of a finding at the length that reports have of it. */
export const findingText = (text: string): string => plainText(text, LONGEST_DRIFT_TEXT)

/** Of a kind that a site has nothing of. */
export const NO_COMPARISON: Compared = {
  counts: { compared: 0, agreeing: 0, false: 0, notCompared: 0 },
  findings: []
}

const PATH_CHARACTERS = 120

/** A page and a line as a sentence names them: `/orders, line 12,`. */
export const placeOf = (url: string, line: number | null): string => {
  const { pathname, search } = new URL(url)
  const path = plainText(pathname + search, PATH_CHARACTERS)
  return line === null ? path : `${path}, line ${line},`
}
