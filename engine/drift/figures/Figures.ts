import { baseAddressesIn, type DescribedServer, isServed } from "./BaseAddress.ts"
import type { FigureText } from "./FigureText.ts"
import { type LimitStatement, limitsIn } from "./LimitStatement.ts"
import { newestRelease } from "./Releases.ts"

/** What a description says itself. */
export interface DescribedFigures {
  readonly title: string
  /** `info.version`; empty where missing. */
  readonly version: string
  readonly servers: ReadonlyArray<DescribedServer>
}

export type FigureReason = "base_url" | "version" | "rate_limit"

/** Two places that name one figure; `other` is `null` for the description. */
export interface ComparedFigure<Text> {
  readonly reason: FigureReason
  readonly agrees: boolean
  readonly text: Text
  readonly other: Text | null
  /** As written in `text`. */
  readonly found: string
  /** As written in `other`, or in the description. */
  readonly expected: string
}

/**
 * Compares what texts say of the API's base address, of its version and of its rate limit, with the description and with one another.
 * Only what can mean nothing else is compared, so most texts give nothing.
 */
export const compareFigures = <Text extends FigureText>(
  texts: ReadonlyArray<Text>,
  described: DescribedFigures | null
): ReadonlyArray<ComparedFigure<Text>> => [
  ...(described === null ? [] : [...baseAddresses(texts, described), ...versions(texts, described)]),
  ...rateLimits(texts)
]

const baseAddresses = <Text extends FigureText>(
  texts: ReadonlyArray<Text>,
  { servers }: DescribedFigures
): ReadonlyArray<ComparedFigure<Text>> => {
  const [first] = servers
  if (first === undefined || !servers.every(({ usable }) => usable)) return []
  const stated = texts.flatMap((text) => baseAddressesIn(text.sections).map((found) => ({ text, found })))
  // Several are those of several APIs.
  const isOne = new Set(stated.map(({ found }) => found.replace(/\/$/, ""))).size === 1
  return stated.flatMap(({ found, text }): ReadonlyArray<ComparedFigure<Text>> => {
    const agrees = isServed(found, servers, text.sections)
    if (agrees === null || !(agrees || isOne)) return []
    return [{ reason: "base_url", agrees, text, other: null, found, expected: first.url }]
  })
}

const versions = <Text extends FigureText>(
  texts: ReadonlyArray<Text>,
  { title, version }: DescribedFigures
): ReadonlyArray<ComparedFigure<Text>> =>
  texts.flatMap((text): ReadonlyArray<ComparedFigure<Text>> => {
    const found = newestRelease(text, { api: title, version })
    return found === null
      ? []
      : [{ reason: "version", agrees: found === version, text, other: null, found, expected: version }]
  })

/** The first text of each unit is what the others are held against. */
const rateLimits = <Text extends FigureText>(texts: ReadonlyArray<Text>): ReadonlyArray<ComparedFigure<Text>> => {
  const first = new Map<LimitStatement["unit"], { readonly text: Text; readonly statement: LimitStatement }>()
  return texts.flatMap((text): ReadonlyArray<ComparedFigure<Text>> => {
    const [statement, ...more] = limitsIn(text.sections)
    if (statement === undefined || more.length > 0) return []
    const before = first.get(statement.unit)
    if (before === undefined) {
      first.set(statement.unit, { text, statement })
      return []
    }
    if (before.text.url === text.url) return []
    return [
      {
        reason: "rate_limit",
        agrees: before.statement.amount === statement.amount,
        text,
        other: before.text,
        found: statement.written,
        expected: before.statement.written
      }
    ]
  })
}
