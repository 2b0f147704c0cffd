import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AuditReport as Decoded } from "../../engine/audit/Report.ts"
import { formattedReport } from "../audit/PrintReport.ts"
import { judgeGoals } from "../gate/Gates.ts"
import { NO_GOALS } from "../gate/Goals.ts"
import { AuditError } from "./AuditError.ts"
import type { AuditReport } from "./Report.ts"

/** The formats of `docgauge --format`. */
export type RenderFormat = "text" | "json" | "markdown" | "junit" | "sarif" | "html" | "github"

/** Writes a report that `audit` or `--format json` made, in another format. Rejects with an `AuditError` if it is no report. */
export const renderReport = async (report: AuditReport, format: RenderFormat): Promise<string> => {
  const decoded = Schema.decodeUnknownOption(Decoded)(report)
  if (Option.isNone(decoded)) throw new AuditError("usage", "This is not a report of docgauge: see docgauge/report.schema.json.")
  const { value } = decoded
  return Effect.runPromise(Effect.provide(formattedReport(value, judgeGoals(value, null, NO_GOALS), { format, rubric: Option.none() }), NodeServices.layer))
}
