import type { RescoreOutcome } from "../../engine/audit/Rescore.ts"
import type { RescoreSummary } from "../../engine/audit/RescoreTally.ts"
import type { Rubric } from "../../engine/rubric/Rubric.ts"
import { renderRescoreMarkdown } from "./RescoreMarkdown.ts"
import { renderRescoredLine, renderRescoreText } from "./RescoreText.ts"
import type { TextOptions } from "./TextReport.ts"

export interface RescoreFormat extends TextOptions {
  readonly format: "text" | "markdown" | "json"
}

/** Writes what `rescore` finds while it is found. */
export interface RescoreWriter {
  readonly begin: string
  /** Empty where a run is told of in the summary only. */
  readonly run: (outcome: RescoreOutcome) => string
  readonly end: (summary: RescoreSummary) => string
}

export const rescoreWriter = (rubric: Rubric, { format, ...options }: RescoreFormat): RescoreWriter => {
  switch (format) {
    case "text":
      return {
        begin: `${options.style.bold(`Judged by ${rubric.id} ${rubric.version}`)}\n\n`,
        run: (outcome) => renderRescoredLine(outcome, options),
        end: (summary) => renderRescoreText(summary, options)
      }
    case "markdown":
      return { begin: "", run: () => "", end: (summary) => renderRescoreMarkdown(summary, rubric) }
    case "json":
      return jsonWriter(rubric)
  }
}

/** One JSON document, a run a line. */
const jsonWriter = ({ id, version }: Rubric): RescoreWriter => {
  let first = true
  return {
    begin: `{"rubric":${JSON.stringify({ id, version })},"runs":[`,
    run: (outcome) => {
      const separator = first ? "\n" : ",\n"
      first = false
      return separator + JSON.stringify(outcome)
    },
    // The runs themselves stand above; JSON leaves out what is undefined.
    end: (summary) => `\n],"summary":${JSON.stringify({ ...summary, largest: summary.largest.map(({ name }) => name), moved: undefined, incomparable: undefined })}}\n`
  }
}
