import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { AuditReport } from "../../engine/audit/Report.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { readJsonFile } from "../io/JsonFile.ts"
import type { AuditFlags } from "./AuditFlags.ts"
import { checkGates } from "./Gates.ts"
import type { LocalReport } from "./LocalAudit.ts"
import { printReport } from "./PrintReport.ts"

/** Runs an audit, here or on a service, prints its report and checks it against its gates: `--min-score`, `--baseline` and `--require-reliable`. */
export const auditAndPrint = Effect.fnUntraced(function*(flags: AuditFlags): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem> {
  yield* checkNumbers(flags)
  const baseline = yield* baselineOf(flags)
  const { recorded, report } = yield* Option.match(flags.server, {
    onNone: () => auditHere(flags),
    onSome: (server) => auditOnService(flags, server)
  })
  yield* printReport(report, flags)
  yield* Effect.fromResult(recorded)
  yield* checkGates(report, baseline, flags)
})

/** The page reader's thread starts while the rest of the code loads. */
const auditHere = Effect.fnUntraced(function*(flags: AuditFlags): Effect.fn.Return<LocalReport, CliFailure, FileSystem.FileSystem> {
  const { ParserPool } = yield* Effect.promise(() => import("../../engine/parse/ParserPool.ts"))
  const audited = Effect.flatMap(Effect.promise(() => import("./LocalAudit.ts")), ({ localAudit }) => localAudit(flags))
  return yield* Effect.provide(audited, ParserPool.layer)
})

const auditOnService = Effect.fnUntraced(function*(flags: AuditFlags, server: string): Effect.fn.Return<LocalReport, CliFailure> {
  const { remoteAudit } = yield* Effect.promise(() => import("./RemoteAudit.ts"))
  return { report: yield* remoteAudit(flags, server), recorded: Result.succeed(undefined) }
})

const checkNumbers = ({ concurrency, maxDrop, minScore, sample, timeout }: AuditFlags): Effect.Effect<void, CliFailure> => {
  const ranges: ReadonlyArray<readonly [string, number, number, number]> = [
    ["--sample", sample, 1, 200],
    ["--concurrency", concurrency, 1, 6],
    ["--timeout", timeout, 1, 3_600],
    ["--max-drop", maxDrop, 0, 100],
    ["--min-score", Option.getOrElse(minScore, () => 0), 0, 100]
  ]
  const wrong = ranges.find(([, value, least, most]) => value < least || value > most)
  return wrong === undefined ? Effect.void : Effect.fail(wrongUsage(`${wrong[0]} takes a whole number from ${wrong[2]} to ${wrong[3]}.`))
}

const baselineOf = ({ baseline }: AuditFlags) =>
  Option.isNone(baseline) ? Effect.succeed(null) : readJsonFile(baseline.value, AuditReport, "a docgauge report in JSON")
