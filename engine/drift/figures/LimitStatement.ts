import type { Section } from "../../page/Page.ts"

/** How many requests a text allows in a unit of time. */
export interface LimitStatement {
  readonly amount: number
  readonly unit: "second" | "minute" | "hour" | "day"
  /** As written, such as `60 requests per minute`. */
  readonly written: string
}

const HEADING = /\b(?:rate[- ]?limit(?:s|ing)?|request limits?|throttling)\b/i

const STATEMENT =
  /\b(\d{1,3}(?:[,\u202f\u00a0]\d{3}){0,3}|\d{1,9}) (?:api )?(?:requests?|calls?) (?:per|an?|each|every) (second|minute|hour|day)\b/gi

/** A limit of some callers, calls or plans only: others may have another one. */
const OF_SOME =
  /\b(?:plans?|tiers?|free|trial|pro|paid|premium|basic|standard|enterprise|business|starter|sandbox|test(?:ing)?|burst|endpoints?|(?:un)?authenticated|anonymous|ip|user|key|token|per (?:app|account|client|workspace|organi[sz]ation|project)|writes?|reads?|(?:POST|GET|PUT|PATCH|DELETE)|increased?|higher|lower|default|example|e\.g\.|previously|until|formerly|was|were|upload|search|export)\b/i

/** Statements of sections on rate limits, each figure once; none where they are those of some callers or calls only. */
export const limitsIn = (sections: ReadonlyArray<Section>): ReadonlyArray<LimitStatement> => {
  const found = new Map<string, LimitStatement>()
  for (const { heading, path, text } of sections) {
    const statements = [...text.matchAll(STATEMENT)]
    if (statements.length === 0) continue
    if (![heading, ...path].some((title) => HEADING.test(title)) || OF_SOME.test(`${heading}\n${text}`)) return []
    for (const [written, amount = "", unit = ""] of statements) {
      const one = unitOf(unit)
      if (one !== null) found.set(`${one} ${amount}`, { amount: Number(amount.replace(/\D/g, "")), unit: one, written })
    }
  }
  return [...found.values()]
}

const UNITS: ReadonlyArray<LimitStatement["unit"]> = ["second", "minute", "hour", "day"]

const unitOf = (word: string): LimitStatement["unit"] | null =>
  UNITS.find((unit) => unit === word.toLowerCase()) ?? null
