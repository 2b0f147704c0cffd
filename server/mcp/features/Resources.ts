import {
  INTERNAL_ERROR_CODE,
  INVALID_PARAMS_ERROR_CODE,
  McpErrorBase,
  param,
  ReadResourceResult
} from "effect/ai/McpSchema"
import { middleware, registerResource } from "effect/ai/McpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { percentDecoded } from "../../../engine/text/PercentDecoding.ts"
import { Audits } from "../audits/Audits.ts"
import { criterionIds, criterionMarkdown, criterionOf, RubricBook, rubricMarkdown } from "./RubricMarkdown.ts"
import { reportText, siteText } from "./SiteText.ts"

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

/** The text of the requested resource; empty if the resource has no parameter. */
export class ResourceText extends Context.Service<ResourceText, string>()("docgauge/server/mcp/ResourceText") {}

/** A resource that cannot be read, as a JSON-RPC error. */
class ResourceError extends Schema.Error<ResourceError>("docgauge/server/mcp/ResourceError")({
  ...McpErrorBase.fields,
  _tag: Schema.tag("ResourceError")
}) {}

/** Revisions up to 2025-11-25 have a separate code for a missing resource; later ones use -32602 (SEP-2164). */
const NOT_FOUND_WITH_SESSIONS = -32_002
const FIRST_WITHOUT_SESSIONS = "2026-07-28"

/** A resource's kind and its parameter, such as `rubric` and `A1`. */
const RESOURCE_URI = /^docgauge:\/\/(rubric|runs)\/([^/?#]+)$/

/**
 * Reads the resources that have a parameter. It is middleware because Effect reports every failure of a resource's own
 * handler as an internal error; only middleware can choose the code.
 */
export const resourceReads = middleware<{ provides: ResourceText }>()(
  Effect.gen(function* () {
    const audits = yield* Audits
    const { rubric } = yield* RubricBook

    const criterion = Effect.fnUntraced(function* (id: string) {
      const found = criterionOf(yield* rubric, id)
      return found === null
        ? { missing: `There is no criterion ${JSON.stringify(id.slice(0, 20))}; docgauge://rubric lists them.` }
        : { text: criterionMarkdown(found) }
    })

    const report = Effect.fnUntraced(
      function* (runId: string) {
        const run = yield* audits.find(runId)
        if (run.status === "done") return { text: reportText(run.report) }
        return {
          missing:
            run.status === "error"
              ? siteText(run.message)
              : "The audit is not done yet. Call get_report, which waits for it."
        }
      },
      Effect.catchTag("ToolRefusal", ({ advice, code, message }) =>
        code === "not_found"
          ? Effect.succeed({ missing: message })
          : Effect.fail(
              new ResourceError({ code: INTERNAL_ERROR_CODE, message: `Error ${code}: ${message} ${advice}` })
            )
      )
    )

    const read = Effect.fnUntraced(function* (uri: string, revision: string) {
      const [, kind, parameter] = RESOURCE_URI.exec(uri) ?? []
      if (parameter === undefined) return ""
      const name = percentDecoded(parameter) ?? parameter
      const found = yield* kind === "runs" ? report(name) : criterion(name)
      if ("text" in found) return found.text
      const code = revision < FIRST_WITHOUT_SESSIONS ? NOT_FOUND_WITH_SESSIONS : INVALID_PARAMS_ERROR_CODE
      return yield* Effect.fail(new ResourceError({ code, message: found.missing, data: { uri } }))
    })

    return (effect, { method, requestContext, target }) =>
      Effect.flatMap(
        method === "resources/read" ? read(target, requestContext.protocolVersion) : Effect.succeed(""),
        (text) => Effect.provideService(effect, ResourceText, text)
      )
  })
)
