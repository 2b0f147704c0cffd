import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AuditReport as Decoded } from "../../engine/audit/Report.ts"
import { formattedReport } from "../audit/PrintReport.ts"
import { reportFormats } from "../audit/ReportFormats.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { judgeGoals } from "../gate/Gates.ts"
import { NO_GOALS } from "../gate/Goals.ts"
import type { RenderFormat } from "../audit/RenderFormat.ts"
import { AuditError } from "./Audit.ts"
import type { AuditReport } from "./Report.ts"

/** Writes a report that `audit` or `--format json` made, in another format. Rejects with an `AuditError` if it is no report, or if there is no such format. */
export const renderReport = async (report: AuditReport, format: RenderFormat): Promise<string> => {
  const fault = formatFault(format)
  if (fault !== null) throw new AuditError("usage", fault)
  const decoded = Schema.decodeUnknownOption(Decoded)(report)
  if (Option.isNone(decoded))
    throw new AuditError("usage", "This is not a report of docgauge: see docgauge/report.schema.json.")
  const { value } = decoded
  return Effect.runPromise(
    Effect.provide(
      formattedReport(value, judgeGoals(value, null, NO_GOALS), { format, rubric: Option.none() }),
      NodeServices.layer
    )
  )
}

/** What is wrong with a format, for programs in JavaScript; `null` if nothing. */
const formatFault = (format: unknown): string | null =>
  typeof format === "string" && Object.hasOwn(reportFormats, format)
    ? null
    : `There is no format ${plainText(String(format), 60)}. The formats are ${Object.keys(reportFormats).join(", ")}.`
