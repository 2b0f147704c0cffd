import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { copyFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { USUAL_SAMPLE } from "../../../engine/evidence/AuditBudget.ts"
import { type Audited, type AuditObserver, type AuditorOptions, makeAudit } from "../../../engine/schedule/Auditor.ts"
import { makeFixer, NotFixed } from "../../../engine/schedule/Fixer.ts"
import { temporaryFolder } from "../../../engine/process/TemporaryFiles.ts"
import { layerAuditProcesses } from "../../audits/AuditProcessLayer.ts"
import { readReport } from "../../audits/FinishedRuns.ts"
import type { CallProgress } from "./Audits.ts"
import { type AuditedReport, LOCAL_AUDITS_AT_ONCE, type LocalAuditor } from "./LocalAudits.ts"

/** An auditor over the guarded HTTP client; its processes and archives end with the scope. */
export const localAuditor = Effect.fnUntraced(function* (
  options: Omit<AuditorOptions, "sampleSize">
): Effect.fn.Return<LocalAuditor, Config.ConfigError, Scope.Scope> {
  const processes = yield* Layer.build(layerAuditProcesses(LOCAL_AUDITS_AT_ONCE))
  const audit = yield* Effect.provideContext(makeAudit({ ...options, sampleSize: USUAL_SAMPLE }), processes)
  // A process of its own: a plan must not wait for audits.
  const fix = yield* Effect.provideContext(makeFixer(options.rubric), yield* Layer.build(layerAuditProcesses(1)))
  const folder = yield* Effect.orDie(temporaryFolder)
  let archives = 0

  /** Keeps the archive of an audit, whose own folder is about to be deleted. */
  const kept = Effect.fnUntraced(function* ({ archive, result }: Audited): Effect.fn.Return<AuditedReport> {
    const report = yield* readReport(result.encoded)
    const path = join(folder, `${archives++}.warc.gz`)
    const content = yield* archive
    // Without an archive, which could not be written, there is a report and no plan.
    if (!(content instanceof Uint8Array)) yield* Effect.promise(() => rename(content.path, path).catch(() => undefined))
    const copied = (to: string) =>
      Effect.mapError(
        Effect.tryPromise(() => copyFile(path, to)),
        () =>
          new NotFixed({
            reason: "unusable",
            message: "The archive of this audit could not be kept.",
            origin: "service"
          })
      )
    return {
      report,
      plan: Effect.map(fix({ reportScore: report.total_score, isSlow: false }, copied), ({ plan }) => plan),
      forget: Effect.promise(() => rm(path, { force: true }))
    }
  })

  return (url, tell) =>
    Effect.scoped(Effect.flatMap(audit({ url, asAgents: false }, counted(tell)), kept)).pipe(
      Effect.catchTags({
        CannotAudit: ({ message }) => Effect.fail({ code: "internal", message }),
        NotAudited: ({ advice, error: { code, message } }) =>
          Effect.fail({ code: code ?? "unreachable", message: advice === null ? message : `${message} ${advice}` })
      })
    )
})

/** Of 100 steps, 70 are for gathering. Its end is unknown, so each response takes a share of the remaining steps. */
const GATHERING = 70
const HALFWAY = 40

const counted = (tell: (progress: CallProgress) => void): AuditObserver => {
  let answers = 0
  let measured = 0
  let total = 0
  const update = (): void => {
    const gathered = (GATHERING * answers) / (answers + HALFWAY)
    const judged = total === 0 ? 0 : ((100 - GATHERING) * measured) / total
    const message =
      total === 0 ? `${answers} responses` : `${answers} responses, ${measured} of ${total} criteria measured`
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
