import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { AuditReport } from "../../../engine/audit/Report.ts"
import { type AuditObserver, type AuditorOptions, makeAudit } from "../../../engine/schedule/Auditor.ts"
import { layerAuditProcesses } from "../../audits/AuditProcessLayer.ts"
import type { AuditProgress } from "./Audits.ts"
import { type LocalAuditor, LOCAL_AUDITS_AT_ONCE } from "./LocalAudits.ts"

/** Pages in the sample, as in the service. */
const SAMPLE = 20

const readReport = Schema.decodeUnknownEffect(Schema.fromJsonString(AuditReport))

/** An auditor over the guarded HTTP client; its processes end with the scope. */
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

/** Of 100 steps, 70 are for gathering. Its end is unknown, so each response takes a share of the remaining steps. */
const GATHERING = 70
const HALFWAY = 40

const counted = (tell: (progress: AuditProgress) => void): AuditObserver => {
  let answers = 0
  let measured = 0
  let total = 0
  const update = (): void => {
    const gathered = GATHERING * answers / (answers + HALFWAY)
    const judged = total === 0 ? 0 : (100 - GATHERING) * measured / total
    const message = total === 0 ? `${answers} responses` : `${answers} responses, ${measured} of ${total} criteria measured`
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
