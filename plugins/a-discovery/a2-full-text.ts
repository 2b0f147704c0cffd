import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count } from "../../engine/criterion/Fact.ts"
import { grouped, pathShown } from "../../engine/criterion/Wording.ts"
import { isAnswer, isUnobtainable } from "../../engine/evidence/Exchange.ts"
import type { AggregateAttempt } from "../../engine/site/Aggregates.ts"

/** A2: the whole documentation can be had as one file. */
export const a2FullText = define({
  id: "a2-full-text",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    full_text_bytes: count("decompressed bytes of llms-full.txt or llms-ctx-full.txt at the origin or below the base; 0 where there is none"),
    linked_aggregate_bytes: count("decompressed bytes of the largest other aggregate on the site that llms.txt links to; 0 where there is none")
  },
  measure: Effect.fn("a2-full-text")(function*(site) {
    const { attempts } = yield* site.aggregates
    const { file } = yield* site.llmsTxt
    const full = largest(attempts, "well_known")
    const linked = largest(attempts, "llms_txt")
    const first = attempts[0]?.exchange ?? site.base.exchange
    if (full === null && linked === null && isUnobtainable(first)) {
      return yield* new Unobtainable({ message: "llms-full.txt could not be had.", exchange: first })
    }
    const tried = attempts.filter(({ source }) => source === "well_known").map(({ url }) => pathShown(url)).join(", ")
    const seen = [...(full === null ? [] : [full]), ...(linked === null ? [] : [linked])]
    const findings = seen.map(({ attempt, bytes }): Finding => ({
      good: attempt.verdict === "found",
      message: `${pathShown(attempt.url)}${attempt.source === "llms_txt" ? ", which llms.txt links to," : ""} holds ${grouped(bytes)} bytes of text.`,
      proof: attempt.exchange
    }))
    const shell = attempts.find(({ source, verdict }) => source === "well_known" && verdict === "html")
    const missing: Finding = shell === undefined
      ? { good: false, message: `There is no full text at ${tried}, and ${file === null ? "no llms.txt to link to one" : "llms.txt links to none"}.`, proof: first }
      : { good: false, message: `A web page stands in place of a full text at ${pathShown(shell.url)}.`, proof: shell.exchange }
    const [summary = missing, ...others] = findings
    return {
      facts: { full_text_bytes: full?.bytes ?? 0, linked_aggregate_bytes: linked?.bytes ?? 0 },
      findings: [summary, ...others]
    }
  })
})

interface Sized {
  readonly attempt: AggregateAttempt
  readonly bytes: number
}

/** The largest text of that source, were it too small to be an aggregate. */
const largest = (attempts: ReadonlyArray<AggregateAttempt>, source: AggregateAttempt["source"]): Sized | null =>
  attempts
    .filter((attempt) => attempt.source === source && (attempt.verdict === "found" || attempt.verdict === "small"))
    .map((attempt): Sized => ({ attempt, bytes: isAnswer(attempt.exchange) ? attempt.exchange.body.length : 0 }))
    .reduce<Sized | null>((best, one) => (best === null || one.bytes > best.bytes ? one : best), null)
