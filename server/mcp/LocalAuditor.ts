import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { AuditReport } from "../../engine/audit/Report.ts"
import { type AuditObserver, type AuditorOptions, makeAudit } from "../../engine/schedule/Auditor.ts"
import { layerAuditProcesses } from "../AuditProcessLayer.ts"
import type { AuditProgress } from "./Audits.ts"
import { LOCAL_AUDITS_AT_ONCE } from "./LocalAudits.ts"

/** Audits one address; tells how far it is. Fails with a stable code where there can be no report. */
export type LocalAuditor = (
  url: string,
  tell: (progress: AuditProgress) => void
) => Effect.Effect<AuditReport, { readonly code: string; readonly message: string }>

/** Pages to look at, as the service does. */
const SAMPLE = 20

const readReport = Schema.decodeUnknownEffect(Schema.fromJsonString(AuditReport))

/** An auditor over the guarded network; its processes end with the scope. */
export const localAuditor = Effect.fnUntraced(function*(options: Omit<AuditorOptions, "sampleSize">): Effect.fn.Return<LocalAuditor, never, Scope.Scope> {
  const processes = yield* Layer.build(layerAuditProcesses(LOCAL_AUDITS_AT_ONCE))
  const audit = yield* Effect.provideContext(makeAudit({ ...options, sampleSize: SAMPLE }), processes)
  return (url, tell) =>
    Effect.scoped(audit(url, counted(tell))).pipe(
      Effect.flatMap(({ result }) => Effect.orDie(readReport(result.encoded))),
      Effect.mapError(({ advice, error: { code, message } }) => ({
        code: code ?? "unreachable",
        message: advice === null ? message : `${message} ${advice}`
      }))
    )
})

/** Of 100 steps most are for gathering, which has no known end: each answer takes a part of what is left. */
const GATHERING = 70
const HALFWAY = 40

const counted = (tell: (progress: AuditProgress) => void): AuditObserver => {
  let answers = 0
  let measured = 0
  let total = 0
  const update = (): void => {
    const gathered = GATHERING * answers / (answers + HALFWAY)
    const judged = total === 0 ? 0 : (100 - GATHERING) * measured / total
    const message = total === 0 ? `${answers} answers` : `${answers} answers, ${measured} of ${total} criteria measured`
    tell({ done: measured === total && total > 0 ? 100 : Math.floor(gathered + judged), total: 100, message })
  }
  return {
    requested: (count) => {
      answers += count
      update()
    },
    measured: (progress) => {
      measured = progress.done
      total = progress.total
      update()
    }
  }
}
