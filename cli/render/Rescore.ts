import type { RescoreOutcome } from "../../engine/audit/compare/Rescore.ts"
import type { RescoreSummary } from "../../engine/audit/compare/RescoreTally.ts"
import type { Promotion } from "../../engine/audit/compare/CriterionChange.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { rubricName } from "../../engine/audit/render/RubricName.ts"
import { renderRescoreMarkdown } from "./RescoreMarkdown.ts"
import { renderRescoredLine, renderRescoreText } from "./RescoreText.ts"
import type { TextOptions } from "./TextReport.ts"

export interface RescoreFormat extends TextOptions {
  readonly format: "text" | "markdown" | "json"
  /** Criteria on trial that are judged as if they earned points; `null`: none. */
  readonly promotion: Promotion | null
}

/** Writes the results of `rescore` as they come. */
export interface RescoreWriter {
  readonly begin: string
  /** Empty if the format lists runs in the summary only. */
  readonly run: (outcome: RescoreOutcome) => string
  readonly end: (summary: RescoreSummary) => string
}

export const rescoreWriter = (
  rubric: AuditReport["rubric"],
  { format, promotion, ...options }: RescoreFormat
): RescoreWriter => {
  switch (format) {
    case "text":
      return {
        begin: `${options.style.bold(`Judged by ${rubricName(rubric)}`)}\n\n`,
        run: (outcome) => renderRescoredLine(outcome, options),
        end: (summary) => renderRescoreText(summary, promotion, options)
      }
    case "markdown":
      return { begin: "", run: () => "", end: (summary) => renderRescoreMarkdown(summary, rubric, promotion) }
    case "json":
      return jsonWriter(rubric, promotion)
  }
}

/** One JSON document, with one run per line. */
const jsonWriter = (rubric: AuditReport["rubric"], promotion: Promotion | null): RescoreWriter => {
  let first = true
  return {
    begin: `{"rubric":${JSON.stringify(rubric)},${promotion === null ? "" : `"promotion":${JSON.stringify(promotion)},`}"runs":[`,
    run: (outcome) => {
      const separator = first ? "\n" : ",\n"
      first = false
      return separator + JSON.stringify(outcome)
    },
    // The runs were written before; JSON omits undefined members.
    end: (summary) =>
      `\n],"summary":${JSON.stringify({ ...summary, largest: summary.largest.map(({ name }) => name), moved: undefined, incomparable: undefined })}}\n`
  }
}
