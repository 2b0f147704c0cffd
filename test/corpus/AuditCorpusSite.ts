import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runAudit } from "../../engine/audit/Audit.ts"
import { type AuditFailed } from "../../engine/audit/AuditError.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { guardedHttp } from "../../engine/evidence/GuardedHttp.ts"
import { politely } from "../../engine/evidence/Politeness.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { Parsing } from "../../engine/site/Parsing.ts"
import { plugins } from "../../plugins/index.ts"
import type { CorpusServer } from "./CorpusServer.ts"

/** The day the labels were made: what is "within 180 days" depends on it. */
export const LABEL_DATE = "2026-11-21"

const RUBRIC = new URL("../../rubric.yaml", import.meta.url)

/** An audit as anyone would run it, by way of the guarded network; every name is led to the corpus' server. */
export const auditCorpusSite = Effect.fn("auditCorpusSite")(function*(
  { authority, port }: CorpusServer,
  url: string
): Effect.fn.Return<AuditReport, AuditFailed> {
  const rubric = yield* Effect.orDie(loadRubric(readFileSync(RUBRIC), "rubric.yaml", plugins))
  const network = guardedHttp({
    resolve: [{ host: "*", port: 443, address: "127.0.0.1", toPort: port }],
    allowPrivate: false,
    allowHttp: false,
    userAgents: userAgents("0.0.0", null),
    authorities: [authority]
  })
  const transport = politely().pipe(Layer.provide(network))
  const request = { url, date: LABEL_DATE, sampleSize: 20, canonicalOrigin: null, rubric }
  const { report } = yield* runAudit(request).pipe(Effect.provide(Layer.mergeAll(transport, Parsing.layer)))
  return report
})
