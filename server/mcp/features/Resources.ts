import { param, ReadResourceResult } from "effect/ai/McpSchema"
import { registerResource } from "effect/ai/McpServer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ResourceText } from "./ResourceReads.ts"
import { criterionIds, RubricBook, rubricMarkdown } from "./RubricMarkdown.ts"

const MARKDOWN = "text/markdown"

const markdown = (uri: string, text: string) =>
  ReadResourceResult.make({ contents: [{ uri, mimeType: MARKDOWN, text }] })

const criterionParam = param("criterion", Schema.String.check(Schema.isMaxLength(20)))
const runParam = param("run_id", Schema.String.check(Schema.isMaxLength(100)))

/** Registers the resources: the rubric, its criteria, and the reports of runs. */
export const registerResources = Effect.gen(function* () {
  const { rubric } = yield* RubricBook
  const read = (uri: string) => Effect.map(ResourceText, (text) => markdown(uri, text))

  yield* registerResource({
    uri: "docgauge://rubric",
    name: "Rubric",
    description: "What the audit checks: 30 criteria in six categories, with their points.",
    mimeType: MARKDOWN,
    content: Effect.map(rubric, (book) => markdown("docgauge://rubric", rubricMarkdown(book)))
  })

  yield* registerResource`docgauge://rubric/${criterionParam}`({
    name: "Criterion",
    description:
      "One criterion of the rubric, such as docgauge://rubric/A1: why it matters, how it is measured, how to meet it.",
    mimeType: MARKDOWN,
    completion: {
      criterion: (typed) =>
        Effect.map(rubric, (book) => criterionIds(book).filter((id) => id.startsWith(typed.toUpperCase())))
    },
    content: read
  })

  yield* registerResource`docgauge://runs/${runParam}`({
    name: "Report",
    description: "The report of a finished run in Markdown: biggest losses first, each with evidence and a fix.",
    mimeType: MARKDOWN,
    content: read
  })
})
