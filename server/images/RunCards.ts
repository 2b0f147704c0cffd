import * as Schema from "effect/Schema"
import type { Run } from "../../engine/store/runs/Run.ts"
import type { FinishedRun } from "../audits/FinishedRuns.ts"
import type { CardState, FinishedState } from "./ShareCard.ts"

/** The fields of a report that images show; reports of older engines have them, too. */
const Shown = Schema.fromJsonString(Schema.Struct({
  audit_date: Schema.String,
  total_score: Schema.Int,
  max_score: Schema.Int,
  verdict: Schema.String,
  reliability: Schema.Struct({ reliable: Schema.Boolean }),
  categories: Schema.Record(Schema.String, Schema.Struct({ title: Schema.String, score: Schema.Int, max: Schema.Int }))
}))

const readShown = Schema.decodeUnknownSync(Shown)

/** The card of a finished run. */
export const finishedState = ({ report }: FinishedRun): FinishedState => {
  const { audit_date: date, categories, max_score: max, reliability: { reliable }, total_score: score, verdict: level } = readShown(report.text)
  return { _tag: "Done", score, max, reliable, level, date, categories: Object.values(categories) }
}

/** The card of a run without a report. */
export const unfinishedState = ({ status }: Run): CardState => ({ _tag: status === "error" ? "Failed" : "UnderWay" })
