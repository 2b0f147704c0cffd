import { type Answer, type Exchange, isAnswer, isChallenge, isMissing } from "../evidence/Exchange.ts"
import type { Finding, Measurement } from "./Criterion.ts"
import { counted, enumerated, pathShown } from "./Wording.ts"

type Findings = Measurement<unknown>["findings"]

/** Maximum number of missing responses that a summary names. */
const NAMED = 3

/**
 * The findings of a criterion that reaches one level or another, depending on what missing responses would have shown:
 * first which responses are missing, each cited, then what was found.
 */
export const undecided = ({
  findings,
  unanswered
}: {
  readonly findings: Findings
  readonly unanswered: ReadonlyArray<Exchange>
}): Findings => {
  const missing = distinct(unanswered)
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

const outcomeOf = (exchange: Exchange): string =>
  `${pathShown(exchange.asked.url)} ${isAnswer(exchange) ? answerOutcome(exchange) : `could not be fetched (${exchange.message})`}`

const answerOutcome = (answer: Answer): string =>
  isChallenge(answer)
    ? "returned a bot challenge"
    : answer.cut && !isMissing(answer)
      ? "has more text than we read"
      : `returned ${answer.status}`

const distinct = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Exchange> => {
  const seen = new Set<string>()
  return exchanges.filter((exchange) => {
    const key = outcomeOf(exchange)
    return !seen.has(key) && seen.add(key)
  })
}
