import * as Schema from "effect/Schema"
import type { Run } from "../../engine/store/Run.ts"
import type { FinishedRun } from "../http/FinishedRuns.ts"
import type { CardState } from "./ShareCard.ts"

/** What of a report is shown in images; reports of older engines have no less. */
const Shown = Schema.fromJsonString(Schema.Struct({
  audit_date: Schema.String,
  total_score: Schema.Int,
  max_score: Schema.Int,
  verdict: Schema.String,
  categories: Schema.Record(Schema.String, Schema.Struct({ title: Schema.String, score: Schema.Int, max: Schema.Int }))
}))

const readShown = Schema.decodeUnknownSync(Shown)

/** What an image shows of a finished run. */
export const finishedState = ({ report }: FinishedRun): Extract<CardState, { readonly _tag: "Done" }> => {
  const { audit_date: date, categories, max_score: max, total_score: score, verdict: level } = readShown(Buffer.from(report.identity).toString())
  return { _tag: "Done", score, max, level, date, categories: Object.values(categories) }
}

/** What an image shows of a run without a report. */
export const unfinishedState = ({ status }: Run): CardState => ({ _tag: status === "error" ? "Failed" : "UnderWay" })
