import { param, ReadResourceResult } from "effect/ai/McpSchema"
import { registerResource } from "effect/ai/McpServer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ResourceText } from "./ResourceReads.ts"
import { RubricBook } from "./RubricBook.ts"
import { criterionIds, rubricPage } from "./RubricPages.ts"

const MARKDOWN = "text/markdown"

const markdown = (uri: string, text: string) => ReadResourceResult.make({ contents: [{ uri, mimeType: MARKDOWN, text }] })

const criterionParam = param("criterion", Schema.String.check(Schema.isMaxLength(20)))
const runParam = param("run_id", Schema.String.check(Schema.isMaxLength(100)))

/** Registers what can be read: the rubric, each criterion's page, the report of a run. */
export const registerResources = Effect.gen(function*() {
  const { rubric } = yield* RubricBook
  const read = (uri: string) => Effect.map(ResourceText, (text) => markdown(uri, text))

  yield* registerResource({
    uri: "docgauge://rubric",
    name: "Rubric",
    description: "What the audit asks for: 30 criteria in six categories, and what each is worth.",
    mimeType: MARKDOWN,
    content: Effect.map(rubric, (book) => markdown("docgauge://rubric", rubricPage(book)))
  })

  yield* registerResource`docgauge://rubric/${criterionParam}`({
    name: "Criterion",
    description: "One criterion of the rubric, such as docgauge://rubric/A1: why it is asked for, how it is measured, how to meet it.",
    mimeType: MARKDOWN,
    completion: {
      criterion: (typed) => Effect.map(rubric, (book) => criterionIds(book).filter((id) => id.startsWith(typed.toUpperCase())))
    },
    content: read
  })

  yield* registerResource`docgauge://runs/${runParam}`({
    name: "Report",
    description: "The report of a finished run in Markdown: worst losses first, each with evidence and remedy.",
    mimeType: MARKDOWN,
    content: read
  })
})
