import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runAudit } from "../../engine/audit/Audit.ts"
import type { AuditFailed, AuditOutcome, AuditRequest } from "../../engine/audit/AuditRequest.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { plugins } from "../../plugins/index.ts"
import { transportTo } from "../harness/LoopbackTransport.ts"
import type { CorpusServer } from "./CorpusServer.ts"

/** The day the labels were made: what is "within 180 days" depends on it. */
export const LABEL_DATE = "2026-11-21"

const RUBRIC = new URL("../../rubric.yaml", import.meta.url)

const rubric = Effect.runSync(
  Effect.cached(Effect.orDie(Effect.suspend(() => loadRubric(readFileSync(RUBRIC), "rubric.yaml", plugins))))
)

/** The report of an audit as anyone would run it. */
export const auditCorpusSite = Effect.fn("auditCorpusSite")(function* (
  server: CorpusServer,
  url: string
): Effect.fn.Return<AuditReport, AuditFailed> {
  const { report } = yield* runCorpusAudit(server, corpusRequest(url, yield* rubric))
  return report
})

/** What is audited, on the day of the labels. */
export const corpusRequest = (url: string, rubric: AuditRequest["rubric"]): AuditRequest => ({
  url,
  date: LABEL_DATE,
  sampleSize: 20,
  canonicalOrigin: null,
  rubric
})

/** The corpus' server answers everything, however late a busy machine lets it. */
const PATIENCE = limitsWith({
  connectMs: 100_000,
  firstByteMs: 100_000,
  stallMs: 100_000,
  exchangeMs: 200_000,
  gatherMs: 600_000
})

/** An audit by way of the guarded network; every name is led to the corpus' server. */
export const runCorpusAudit = (server: CorpusServer, request: AuditRequest): Effect.Effect<AuditOutcome, AuditFailed> =>
  runAudit(request).pipe(
    Effect.provideService(FetchLimits, PATIENCE),
    Effect.provide(Layer.mergeAll(transportTo(server), ParserPool.layerInline))
  )
