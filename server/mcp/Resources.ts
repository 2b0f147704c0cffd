import { param, ReadResourceResult } from "effect/ai/McpSchema"
import { McpServer, registerResource } from "effect/ai/McpServer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { renderMarkdown } from "../../engine/audit/MarkdownReport.ts"
import { Audits } from "./Audits.ts"
import { RubricBook } from "./RubricBook.ts"
import { criterionIds, criterionOf, criterionPage, rubricPage } from "./RubricPages.ts"

const MARKDOWN = "text/markdown"

const markdown = (uri: string, text: string) => ReadResourceResult.make({ contents: [{ uri, mimeType: MARKDOWN, text }] })

/** A resource that is not there, in words for whoever asked. */
class NoSuchResource extends Schema.TaggedError<NoSuchResource>()("NoSuchResource", { message: Schema.String }) {}

const criterionParam = param("criterion", Schema.String.check(Schema.isMaxLength(20)))
const runParam = param("run_id", Schema.String.check(Schema.isMaxLength(100)))

/** Registers what can be read: the rubric, each criterion's page, the report of a run. */
export const registerResources = Effect.gen(function*() {
  const { rubric } = yield* RubricBook
  const audits = yield* Audits
  yield* McpServer

  yield* registerResource({
    uri: "docgauge://rubric",
    name: "Rubric",
    description: "What the audit asks for: 30 criteria in six categories, and what each is worth.",
    mimeType: MARKDOWN,
    content: Effect.map(rubric, (read) => markdown("docgauge://rubric", rubricPage(read)))
  })

  yield* registerResource`docgauge://rubric/${criterionParam}`({
    name: "Criterion",
    description: "One criterion of the rubric, such as docgauge://rubric/A1: why it is asked for, how it is measured, how to meet it.",
    mimeType: MARKDOWN,
    completion: {
      criterion: (typed) => Effect.map(rubric, (read) => criterionIds(read).filter((id) => id.startsWith(typed.toUpperCase())))
    },
    content: Effect.fnUntraced(function*(uri: string, id: string) {
      const criterion = criterionOf(yield* rubric, id)
      return criterion === null
        ? yield* new NoSuchResource({ message: `There is no criterion ${JSON.stringify(id)}; docgauge://rubric lists them.` })
        : markdown(uri, criterionPage(criterion))
    })
  })

  yield* registerResource`docgauge://runs/${runParam}`({
    name: "Report",
    description: "The report of a finished run in Markdown: worst losses first, each with evidence and remedy.",
    mimeType: MARKDOWN,
    content: Effect.fnUntraced(function*(uri: string, runId: string) {
      const run = yield* audits.find(runId)
      return run.status === "done"
        ? markdown(uri, renderMarkdown(run.report))
        : yield* new NoSuchResource({ message: run.status === "error" ? run.message : "The audit is not done yet: call get_report, which waits for it." })
    })
  })
})
