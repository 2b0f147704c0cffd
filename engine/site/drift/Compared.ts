import type { FalseExample, FoundSpec } from "../../apispec/ApiSpec.ts"
import { type DriftFinding, LONGEST_DRIFT_TEXT } from "../../drift/Drift.ts"
import type { ContractIndex } from "../../drift/match/ContractIndex.ts"
import type { NotComparedReason } from "../../drift/match/MatchCall.ts"
import { compareTables, tableSentenceOf } from "../../drift/match/Tables.ts"
import type { Exchange } from "../../evidence/Exchange.ts"
import { plainText } from "../../text/PlainText.ts"
import type { DriftText } from "../texts/Article.ts"

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

/** Examples and defaults of the description that their own schemas refuse. */
export const exampleDrift = ({ exchange, spec }: Pick<FoundSpec, "exchange" | "spec">): Compared => {
  const { compared, false: wrong, found, notCompared } = spec.examples
  return {
    counts: { compared, agreeing: compared - wrong, false: wrong, notCompared },
    findings: found.map((example) => ({
      proof: exchange,
      finding: {
        kind: "example",
        reason: "schema",
        message: exampleSentence(example),
        page: null,
        description: { url: spec.url, pointer: findingText(example.at.replace(/^#/, "")) },
        found: plainText(example.value, 200),
        expected: plainText(example.wants, 200)
      }
    }))
  }
}

const NAMES = { example: "example", default: "default", const: "constant" } as const

/** The place, what it says and what its schema wants, in one sentence. */
export const exampleSentence = ({ at, found, kind, operation, reason, wants }: FalseExample): string => {
  const place = `${NAMES[kind]}${operation === null ? "" : ` of ${plainText(operation, 80)}`} at ${plainText(at, 160)}`
  const wanted = reason === "required" ? "which its schema requires" : `and its schema wants ${plainText(wants, 160)}`
  return findingText(`The ${place} ${plainText(found, 200)}, ${wanted}.`)
}

/** Compares the parameter and response tables of pages; Markdown versions and full texts would only repeat them. */
export const tableDrift = (texts: ReadonlyArray<DriftText>, index: ContractIndex): Compared => {
  const compared = texts.flatMap(({ exchange, page }) =>
    page === null ? [] : [{ exchange, page, ...compareTables(page, index) }]
  )
  const rows = compared.reduce((sum, one) => sum + one.compared, 0)
  const wrong = compared.reduce((sum, { findings }) => sum + findings.length, 0)
  return {
    counts: { compared: rows, agreeing: rows - wrong, false: wrong, notCompared: 0 },
    findings: compared.flatMap(({ exchange, findings, page: { url } }) =>
      findings.map((finding) => ({
        proof: exchange,
        finding: {
          kind: "table",
          reason: finding.reason,
          message: `${placeOf(url, null)} ${tableSentenceOf(finding)}.`,
          page: { url, line: null },
          description: { url: index.url, pointer: finding.pointer },
          found: finding.found,
          expected: finding.expected,
          likely: finding.operation
        }
      }))
    )
  }
}
