import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { readBaseline, requireSameSite } from "../gate/Baseline.ts"
import { changeNote, gateFailure, type GateResult, judgeGoals, type Goals, NO_GOALS } from "../gate/Gates.ts"
import { CliFailure } from "../io/CliFailure.ts"
import { type AuditFlags, flagNumber } from "./AuditFlags.ts"
import type { BeforeAudit } from "./AuditSource.ts"
import type { LocalReport } from "./LocalAudit.ts"
import { furtherReports, printReport, writeFurther } from "./PrintReport.ts"
import { loginOf, type PreviewLogin } from "./RequestHeaders.ts"

/** Runs an audit, here or on a service, prints its report and checks it against its goals: `--min-score`, `--baseline` and `--require-reliable`. */
export const auditAndPrint = Effect.fnUntraced(function* (
  flags: AuditFlags
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem> {
  const further = yield* furtherReports(flags)
  const login = yield* loginOf(flags)
  const baseline = yield* baselineOf(flags)
  const checkBaseline = (url: string, canonicalOrigin: string | null) =>
    baseline === null ? Effect.void : requireSameSite(url, canonicalOrigin, baseline)
  const { productionOrigin, recorded, report } = yield* Option.match(flags.server, {
    onNone: () => auditHere(flags, checkBaseline, login),
    onSome: (server) => auditOnService(flags, server, checkBaseline)
  })
  const result = judgeGoals(report, baseline, goalsOf(flags))
  yield* printReport(report, result, flags)
  yield* writeFurther(report, result, further, flags)
  if (productionOrigin !== null) {
    const { printPreviewHint } = yield* Effect.promise(() => import("./LocalAudit.ts"))
    yield* printPreviewHint(productionOrigin, { from: Option.isSome(flags.replay) ? "archive" : "site" }, flags)
  }
  yield* Effect.fromResult(recorded)
  const note = changeNote(result)
  if (note !== null && !flags.quiet) yield* Console.error(`docgauge: ${note}`)
  yield* failIfMissed(result)
})

/** The page reader's thread starts while the rest of the code loads. */
const auditHere = Effect.fnUntraced(function* (
  flags: AuditFlags,
  before: BeforeAudit,
  login: PreviewLogin | null
): Effect.fn.Return<LocalReport, CliFailure, FileSystem.FileSystem> {
  const { ParserPool } = yield* Effect.promise(() => import("../../engine/parse/ParserPool.ts"))
  const audited = Effect.flatMap(
    Effect.promise(() => import("./LocalAudit.ts")),
    ({ localAudit }) => localAudit(flags, { before, login })
  )
  return yield* Effect.provide(audited, ParserPool.layer)
})

const auditOnService = Effect.fnUntraced(function* (
  flags: AuditFlags,
  server: string,
  before: BeforeAudit
): Effect.fn.Return<LocalReport, CliFailure> {
  const { remoteAudit } = yield* Effect.promise(() => import("./RemoteAudit.ts"))
  return {
    report: yield* remoteAudit(flags, server, before),
    recorded: Result.succeed(undefined),
    productionOrigin: null,
    notice: null,
    named: []
  }
})

const baselineOf = (flags: AuditFlags) =>
  Option.isNone(flags.baseline) ? Effect.succeed(null) : readBaseline(flags.baseline.value, flags)

const goalsOf = (flags: AuditFlags): Goals => ({
  ...NO_GOALS,
  score: Option.getOrNull(flags.minScore),
  maxDrop: Option.isNone(flags.baseline) ? null : flagNumber(flags, "maxDrop"),
  drift: Option.getOrNull(flags.maxDrift),
  requireReliable: flags.requireReliable ? true : null
})

const failIfMissed = (result: GateResult): Effect.Effect<void, CliFailure> => {
  const failure = gateFailure(result)
  return failure === null
    ? Effect.void
    : Effect.fail(new CliFailure({ code: failure.code, message: failure.messages.join("\ndocgauge: ") }))
}
