import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { runAudit } from "../../engine/audit/Audit.ts"
import { type AuditFailed, type AuditOutcome, type AuditRequest, runInfoOf } from "../../engine/audit/AuditRequest.ts"
import { encodeReport } from "../../engine/audit/Report.ts"
import type { BoundCriterion } from "../../engine/plugin/Registry.ts"
import { type FetchLimits as Limits, FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import type { Transport } from "../../engine/evidence/Transport.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import { type LoadedRubric, loadRubric } from "../../engine/rubric/RubricFile.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { plugins } from "../../plugins/index.ts"
import { archiveBytes } from "../evidence/archive/ArchiveBytes.ts"

const RUBRIC = new URL("../../rubric.yaml", import.meta.url)

export const RUBRIC_BYTES = readFileSync(RUBRIC)

export const rubric: Promise<LoadedRubric<BoundCriterion>> = Effect.runPromise(
  loadRubric(RUBRIC_BYTES, "rubric.yaml", plugins)
)

export const AGENTS = userAgents("0.0.0", null)

export interface AuditOptions extends Partial<
  Pick<AuditRequest, "asAgents" | "asAgentsHost" | "date" | "first" | "sampleSize" | "canonicalOrigin">
> {
  readonly limits?: Partial<Limits>
  /** On the calling thread unless given. */
  readonly parsing?: Layer.Layer<ParserPool>
}

/** What an audit came to. */
export interface Audited {
  readonly result: Result.Result<AuditOutcome, AuditFailed>
  /** The bytes of the report, or of the reasons why there is none: what must be the same for the same evidence. */
  readonly text: string
  /** The run as `--record` keeps it. */
  readonly archive: Effect.Effect<Uint8Array>
  /** The run as the service keeps it, at most `mostBytes` long. */
  readonly archiveWithin: (mostBytes: number) => Effect.Effect<Uint8Array>
}

/** A whole audit over this transport: all plugins, the rubric of the tree. */
export const auditOver = (
  transport: Layer.Layer<Transport>,
  url: string,
  { limits: given = {}, parsing = ParserPool.layerInline, ...options }: AuditOptions = {}
): Effect.Effect<Audited> =>
  Effect.gen(function* () {
    const limits = limitsWith(given)
    const request = {
      url,
      date: "2026-11-21",
      sampleSize: 20,
      canonicalOrigin: null,
      rubric: yield* Effect.promise(() => rubric),
      ...options
    }
    const result = yield* Effect.result(runAudit(request)).pipe(
      Effect.provide(Layer.mergeAll(transport, parsing)),
      Effect.provideService(FetchLimits, limits)
    )
    const archiveWithin = (mostBytes: number) =>
      archiveBytes(runInfoOf(request, limits, AGENTS), Result.merge(result).journal, mostBytes)
    return { result, text: textOf(result), archive: archiveWithin(Infinity), archiveWithin }
  })

const textOf = (result: Audited["result"]): string => {
  if (Result.isSuccess(result)) return encodeReport(result.success.report)
  const { advice, message, reason } = result.failure
  return `${reason}: ${message}\n${advice}\n`
}
