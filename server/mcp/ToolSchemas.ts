import * as Schema from "effect/Schema"
import type { ToolJson } from "effect/ai/McpSchema"

/** How a report comes back. */
const ReportFormat = Schema.Literals(["markdown", "json"]).annotate({
  description:
    "`markdown` (default): compact, worst losses first, each with evidence and remedy. `json`: the whole report with all 30 criteria and what was measured; some 15 times as long.",
  default: "markdown"
})
export type ReportFormat = typeof ReportFormat.Type

const format = Schema.optionalKey(ReportFormat)

/** What the tool `audit` takes. */
export const AuditInput = Schema.Struct({
  base_url: Schema.String.check(Schema.isMaxLength(2_048)).annotate({
    description: "Address of the documentation's first page: a public https:// address without query, fragment or credentials.",
    examples: ["https://docs.example.com", "https://example.com/docs"]
  }),
  format
})

/** What the tool `get_report` takes. */
export const ReportInput = Schema.Struct({
  run_id: Schema.String.check(Schema.isMaxLength(100)).annotate({
    description: "The `run_id` that `audit` gave, or the id in the address of a report page.",
    examples: ["01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"]
  }),
  format
})

/** The structured content of both tools; errors have none. Whole reports are described in the resource `docgauge://rubric`, not here: every client reads this schema. */
export const outputSchema: ToolJson = {
  type: "object",
  properties: {
    run_id: { type: "string", description: "The run; hand it to get_report." },
    status: { type: "string", enum: ["pending", "running", "done"], description: "`done`: the report is there." },
    total_score: { type: "integer", minimum: 0, maximum: 100, description: "When done: the score of 100." },
    report: {
      description: "When done: Markdown text, or with format json an object with base_url, total_score, categories and criteria.",
      anyOf: [{ type: "string" }, { type: "object" }]
    },
    progress: {
      type: "object",
      description: "While under way.",
      properties: { done: { type: "integer" }, total: { type: "integer" } },
      required: ["done", "total"]
    },
    next: { type: "string", description: "What to do next." }
  },
  required: ["run_id", "status"]
}

/** The JSON Schema of what a tool takes. */
export const inputSchemaOf = (input: typeof AuditInput | typeof ReportInput): ToolJson => {
  const { schema } = Schema.toJsonSchemaDocument(input, { onExcessProperty: "error" })
  return { ...schema, type: "object" }
}
