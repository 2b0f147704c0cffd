import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AuditFailed, AuditOutcome } from "../audit/AuditRequest.ts"
import { isApplicable, openPoints } from "../audit/FixFirst.ts"
import { allCriteria, type CriterionResult, encodeReport } from "../audit/Report.ts"
import type { JournalEntry } from "../evidence/Journal.ts"
import { sha256 } from "../evidence/LargeBytes.ts"
import { type CriterionOutcome, OUTCOME_STATES } from "../store/corpus/OutcomeCounts.ts"
import type { ExchangeDigest, RunResult } from "../store/runs/RunStore.ts"
import { type AuditFailure, BLOCKED_CODE } from "./AuditTask.ts"

/** The most points that limits of ours may leave open in a report that sites are compared by. */
const MOST_OPEN = 10

/** An audit's result as it is stored. */
export const resultOf = (
  { generator, journal, report }: AuditOutcome,
  cost: Pick<RunResult, "durationMs" | "bytes">
): Effect.Effect<RunResult> =>
  Effect.map(
    Effect.promise(() => digestsOf(journal)),
    (exchanges) => ({
      encoded: encodeReport(report),
      totalScore: report.total_score,
      // A score that may still be much higher is no figure to compare sites by.
      reliable: report.reliability.reliable && openPoints(report.criteria) <= MOST_OPEN,
      outcomes: report.criteria.map(outcomeOf),
      generator,
      facts: allCriteria(report).map(({ id, measured }) => ({ criterion: id, ...measured })),
      exchanges,
      ...cost,
      requests: journal.reduce((total, { hop }) => total + hop.meta.attempts, 0)
    })
  )

/** What the corpus counts of a criterion. */
export const outcomeOf = (criterion: CriterionResult): CriterionOutcome => {
  const { id, max, score, status } = criterion
  return { id, max, score, state: isApplicable(criterion) ? status : "not_applicable" }
}

const digestsOf = async (journal: ReadonlyArray<JournalEntry>): Promise<ReadonlyArray<ExchangeDigest>> => {
  const digests: Array<ExchangeDigest> = []
  for (const {
    hop,
    request: {
      asked: { method, url }
    }
  } of journal) {
    digests.push(
      hop._tag === "HopFault"
        ? { method, url, status: null, sha256: null, size: 0 }
        : { method, url, status: hop.status, sha256: await sha256(hop.body), size: hop.body.length }
    )
  }
  return digests
}

/** Maximum length of a stored reason. */
const LONGEST_REASON = 500

/** Why there is no report, safe to show: `audit_failed` if the site answered, without a code if it did not; `BLOCKED_CODE`. */
export const auditFailureOf = ({ advice, message, reason }: AuditFailed): AuditFailure => ({
  error: {
    code: reason === "unreachable" ? null : reason === "blocked" ? BLOCKED_CODE : "audit_failed",
    message: shown(message)
  },
  advice: shown(advice)
})

const shown = (text: string): string => text.replaceAll(/\p{C}+/gu, " ").slice(0, LONGEST_REASON)

const Text = Schema.String
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const Result = Schema.fromJsonString(
  Schema.Struct({
    encoded: Text,
    totalScore: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
    reliable: Schema.Boolean,
    outcomes: Schema.Array(
      Schema.Struct({ id: Text, state: Schema.Literals(OUTCOME_STATES), score: Count, max: Count })
    ),
    generator: Schema.NullOr(Text),
    facts: Schema.Array(
      Schema.Struct({
        criterion: Text,
        plugin: Text,
        revision: Count,
        params: Schema.Record(Text, Schema.Unknown),
        facts: Schema.NullOr(Schema.Record(Text, Schema.Union([Schema.Number, Schema.Boolean, Text])))
      })
    ),
    exchanges: Schema.Array(
      Schema.Struct({
        method: Text,
        url: Text,
        status: Schema.NullOr(Schema.Int),
        sha256: Schema.NullOr(Text),
        size: Count
      })
    ),
    durationMs: Count,
    requests: Count,
    bytes: Count
  })
)

/** Decodes what an audit process wrote. Throws if it is not a result. */
export const readResult: (text: string) => RunResult = Schema.decodeUnknownSync(Result)
