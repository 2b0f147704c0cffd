import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { CliFailure, ExitCode } from "../io/CliFailure.ts"
import type { AuditFlags } from "./AuditFlags.ts"

/**
 * Fails if the report does not pass a gate that was asked for. Any gate is first one of reliability: a score that is not reliable
 * neither reaches a goal nor misses it.
 */
export const checkGates = (
  report: AuditReport,
  baseline: AuditReport | null,
  flags: Pick<AuditFlags, "maxDrop" | "minScore" | "requireReliable">
): Effect.Effect<void, CliFailure> => {
  const failure = failureOf(report, baseline, flags)
  return failure === null ? Effect.void : Effect.fail(failure)
}

const failureOf = (
  { reliability, total_score: score }: AuditReport,
  baseline: AuditReport | null,
  { maxDrop, minScore, requireReliable }: Pick<AuditFlags, "maxDrop" | "minScore" | "requireReliable">
): CliFailure | null => {
  const hasGate = requireReliable || Option.isSome(minScore) || baseline !== null
  if (hasGate && !reliability.reliable) return notReliable(`the report is not reliable: the score is at least ${score}. Its warnings say what could not be checked; audit again once it can be.`)
  const least = Option.getOrElse(minScore, () => 0)
  if (score < least) return belowTarget(`the score is ${score}, below --min-score ${least}.`)
  if (baseline === null) return null
  if (!baseline.reliability.reliable) return notReliable("the report of --baseline is not reliable, so nothing can be compared with it. Take a reliable one.")
  const drop = baseline.total_score - score
  return drop > maxDrop ? belowTarget(`the score dropped by ${drop}, from ${baseline.total_score} to ${score}; --max-drop allows ${maxDrop}.`) : null
}

const belowTarget = (message: string): CliFailure => new CliFailure({ code: ExitCode.belowTarget, message })

const notReliable = (message: string): CliFailure => new CliFailure({ code: ExitCode.notReliable, message })
