import { type Answer, type Exchange, isAnswer, isChallenge, isMissing } from "../evidence/Exchange.ts"
import type { Finding, Measurement } from "./Criterion.ts"
import { addressShown, counted, enumerated } from "./Wording.ts"

type Findings = Measurement<unknown>["findings"]

/** Maximum number of missing responses that a summary names. */
const NAMED = 3

/**
 * The findings of a criterion that reaches one level or another, depending on what missing responses would have shown:
 * first which responses are missing, each cited, then what was found. `base`: the URL of the audit, whose host goes without saying.
 */
export const undecided = (
  {
    findings,
    unanswered
  }: {
    readonly findings: Findings
    readonly unanswered: ReadonlyArray<Exchange>
  },
  base: string
): Findings => {
  const outcomeOf = (exchange: Exchange): string => outcomeAt(exchange, base)
  const missing = distinct(unanswered, outcomeOf)
  const [first, ...others] = missing
  if (first === undefined) return findings
  const more = missing.length - NAMED
  const named = enumerated([
    ...missing.slice(0, NAMED).map(outcomeOf),
    ...(more > 0 ? [counted(more, "more URL")] : [])
  ])
  return [
    { good: false, message: `The result depends on what we could not read: ${named}.`, proof: first },
    ...findings.slice(0, 1),
    ...others.slice(0, NAMED - 1).map((proof): Finding => ({ good: false, message: `${outcomeOf(proof)}.`, proof })),
    ...findings.slice(1)
  ]
}

const outcomeAt = (exchange: Exchange, base: string): string =>
  `${addressShown(exchange.asked.url, base)} ${isAnswer(exchange) ? answerOutcome(exchange) : `could not be fetched (${exchange.message})`}`

const answerOutcome = (answer: Answer): string =>
  isChallenge(answer)
    ? "returned a bot challenge"
    : answer.cut && !isMissing(answer)
      ? "has more than we read"
      : `returned ${answer.status}`

const distinct = (
  exchanges: ReadonlyArray<Exchange>,
  outcomeOf: (exchange: Exchange) => string
): ReadonlyArray<Exchange> => {
  const seen = new Set<string>()
  return exchanges.filter((exchange) => {
    const key = outcomeOf(exchange)
    return !seen.has(key) && seen.add(key)
  })
}
