import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { between, count } from "../../engine/plugin/Fact.ts"
import { counted, either, grouped, pathShown } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { isAnswer } from "../../engine/evidence/Exchange.ts"
import type { FullTextAttempt } from "../../engine/site/wellknown/FullText.ts"

/** A2: one file contains the whole documentation. */
export const a2FullText = define({
  id: "a2-full-text",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    full_text_bytes: count(
      "decompressed bytes of llms-full.txt or llms-ctx-full.txt at the origin or below the base URL; 0 if missing"
    ),
    linked_aggregate_bytes: count(
      "decompressed bytes of the largest other full-text file on the site that llms.txt links to; 0 if missing"
    )
  },
  measure: Effect.fn("a2-full-text")(function* (site) {
    const { attempts, missing } = yield* site.fullText
    const { file } = yield* site.llmsTxt
    const full = largest(attempts, "well_known")
    const linked = largest(attempts, "llms_txt")
    const first = attempts[0]?.exchange ?? site.base.exchange
    if (full === null && linked === null && attempts[0]?.verdict === "unobtainable") {
      return yield* new Unobtainable({ message: "We could not fetch llms-full.txt.", exchange: first })
    }
    const tried = attempts.filter(({ source }) => source === "well_known").map(({ url }) => pathShown(url))
    const seen = [...(full === null ? [] : [full]), ...(linked === null ? [] : [linked])]
    const findings = seen.map(({ attempt, bytes }): Finding => ({
      good: attempt.verdict === "found",
      message: `${pathShown(attempt.url)}${attempt.source === "llms_txt" ? ", linked from llms.txt," : ""} has ${attempt.verdict === "found" ? "" : "only "}${counted(bytes, "byte")} of text${lengthShown(bytes)}.`,
      proof: attempt.exchange
    }))
    const shell = attempts.find(({ source, verdict }) => source === "well_known" && verdict === "html")
    const absence: Finding =
      shell === undefined
        ? {
            good: false,
            message: `There is no full text at ${either(tried)}, and ${file === null ? "no llms.txt that could link to one" : "llms.txt links to none"}.`,
            proof: first
          }
        : {
            good: false,
            message: `${pathShown(shell.url)} returns an HTML page, not the full text.`,
            proof: shell.exchange
          }
    const [summary = absence, ...others] = findings
    const isMissed = attempts.some(({ exchange, source }) => source === "well_known" && missing.includes(exchange))
    return {
      facts: { full_text_bytes: full?.bytes ?? 0, linked_aggregate_bytes: linked?.bytes ?? 0 },
      // The largest file counts, and a missing one may be larger.
      uncertain:
        missing.length === 0
          ? {}
          : {
              full_text_bytes: isMissed ? between(full?.bytes ?? 0, null) : undefined,
              linked_aggregate_bytes: between(linked?.bytes ?? 0, null)
            },
      unanswered: missing,
      findings: [summary, ...others]
    }
  })
})

/** A longer text does not fit the context window of most models. */
const MOST_TOKENS = 200_000
const BYTES_PER_TOKEN = 4

const lengthShown = (bytes: number): string => {
  const tokens = Math.round(bytes / BYTES_PER_TOKEN / 1_000) * 1_000
  return tokens <= MOST_TOKENS ? "" : `, about ${grouped(tokens)} tokens: too long for most context windows`
}

interface Sized {
  readonly attempt: FullTextAttempt
  readonly bytes: number
}

/** The largest text from that source, even one too small to count. */
const largest = (attempts: ReadonlyArray<FullTextAttempt>, source: FullTextAttempt["source"]): Sized | null =>
  attempts
    .filter((attempt) => attempt.source === source && (attempt.verdict === "found" || attempt.verdict === "small"))
    .map((attempt): Sized => ({ attempt, bytes: isAnswer(attempt.exchange) ? attempt.exchange.body.length : 0 }))
    .reduce<Sized | null>((best, one) => (best === null || one.bytes > best.bytes ? one : best), null)
