import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { type AuditEvent, runAudit } from "../../engine/audit/Audit.ts"
import type { AuditFailed } from "../../engine/audit/AuditError.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import type { BoundCriterion } from "../../engine/criterion/Registry.ts"
import { guardedHttp, type GuardedHttpOptions } from "../../engine/evidence/GuardedHttp.ts"
import { politely } from "../../engine/evidence/Politeness.ts"
import type { LoadedRubric } from "../../engine/rubric/RubricFile.ts"
import { Parsing } from "../../engine/site/Parsing.ts"
import type { AuditProgress } from "./Audits.ts"

/** Audits one address, given the time; tells how far it is. Fails with a stable code where there can be no report. */
export type LocalAuditor = (
  url: string,
  startedAtMs: number,
  tell: (progress: AuditProgress) => void
) => Effect.Effect<AuditReport, { readonly code: string; readonly message: string }>

export interface LocalAuditorOptions extends GuardedHttpOptions {
  readonly rubric: LoadedRubric<BoundCriterion>
}

/** Pages to look at, as the service does. */
const SAMPLE = 20

/** An auditor over the guarded network; its parsing workers end with the scope. */
export const localAuditor = Effect.fnUntraced(function*(options: LocalAuditorOptions): Effect.fn.Return<LocalAuditor, never, Scope.Scope> {
  const parsing = yield* Layer.build(Parsing.layer)
  return (url, startedAtMs, tell) => {
    const date = DateTime.formatIsoDateUtc(DateTime.makeUnsafe(startedAtMs))
    const transport = politely().pipe(Layer.provide(guardedHttp(options)))
    return runAudit({ url, date, sampleSize: SAMPLE, canonicalOrigin: null, rubric: options.rubric, listen: counted(tell) }).pipe(
      Effect.map(({ report }) => report),
      Effect.mapError(({ advice, message, reason }: AuditFailed) => ({
        code: reason === "unreachable" ? "unreachable" : "audit_failed",
        message: `${message} ${advice}`
      })),
      Effect.provide(transport),
      Effect.provideContext(parsing)
    )
  }
})

/** Of 100 steps most are for gathering, which has no known end: each answer takes a part of what is left. */
const GATHERING = 70
const HALFWAY = 40

const counted = (tell: (progress: AuditProgress) => void): (event: AuditEvent) => void => {
  let answers = 0
  let measured = 0
  let total = 0
  return (event) => {
    if (event._tag === "Answered") answers += 1
    else if (event._tag === "Measured") [measured, total] = [event.done, event.total]
    else return
    const gathered = GATHERING * answers / (answers + HALFWAY)
    const judged = total === 0 ? 0 : (100 - GATHERING) * measured / total
    const message = total === 0 ? `${answers} answers` : `${answers} answers, ${measured} of ${total} criteria measured`
    tell({ done: measured === total && total > 0 ? 100 : Math.floor(gathered + judged), total: 100, message })
  }
}
