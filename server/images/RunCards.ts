import * as Schema from "effect/Schema"
import { AuditReport } from "../../engine/audit/Report.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import type { FinishedRun } from "../audits/FinishedRuns.ts"
import type { CardState, FinishedState } from "./ShareCard.ts"

const {
  audit_date,
  categories,
  max_score,
  reliability: {
    fields: { reliable }
  },
  total_score,
  verdict
} = AuditReport.fields

/** The fields of a report that images show. */
const Shown = Schema.fromJsonString(
  Schema.Struct({ audit_date, total_score, max_score, verdict, reliability: Schema.Struct({ reliable }), categories })
)

const readShown = Schema.decodeUnknownSync(Shown)

/** The card of a finished run. */
export const finishedState = ({ report }: FinishedRun): FinishedState => {
  const {
    audit_date: date,
    categories,
    max_score: max,
    reliability: { reliable },
    total_score: score,
    verdict: level
  } = readShown(report.text)
  return { _tag: "Done", score, max, reliable, level, date, categories: Object.values(categories) }
}

/** The card of a run without a report. */
export const unfinishedState = ({ status }: Run): CardState => ({ _tag: status === "error" ? "Failed" : "UnderWay" })
