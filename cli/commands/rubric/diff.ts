import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { Argument, Command, Flag } from "effect/cli"
import { diffRubrics } from "../../../engine/rubric/RubricDiff.ts"
import { CliFailure, ExitCode } from "../../CliFailure.ts"
import { renderRubricDiffMarkdown, renderRubricDiffText } from "../../render/RubricDiff.ts"
import { readRubricAlone } from "../../Rubrics.ts"
import { outputStyle, terminalWidth } from "../../Terminal.ts"

/** `docgauge rubric diff`: what changed, the version bump that it owes, and whether the version given does. */
export const diff = Command.make("diff", {
  old: Argument.String("old").pipe(Argument.withDescription("The earlier rubric, such as the last released one")),
  new: Argument.String("new").pipe(Argument.withDescription("The later rubric")),
  format: Flag.Literals("format", ["text", "markdown", "json"]).pipe(
    Flag.withDescription("How to print it, such as --format markdown"),
    Flag.withDefault("text")
  ),
  noColor: Flag.Boolean("no-color").pipe(Flag.withDescription("No colours, even on a terminal"), Flag.withDefault(false))
}, Effect.fn("rubric diff")(function*({ format, new: later, noColor, old }) {
  const result = diffRubrics(yield* readRubricAlone(old), yield* readRubricAlone(later))
  if (format === "json") yield* Console.log(JSON.stringify(result, null, 2))
  if (format === "markdown") yield* Console.log(renderRubricDiffMarkdown(result))
  if (format === "text") yield* Console.log(renderRubricDiffText(result, { width: terminalWidth(), style: outputStyle(noColor) }))
  if (result.faults.length > 0) yield* new CliFailure({ code: ExitCode.belowTarget, message: `${later}: ${result.faults.join("; ")}.` })
})).pipe(
  Command.withDescription("Tell what changed between two rubrics, and the version that this owes; exit 1 where the version given is too small"),
  Command.withExamples([
    { command: "docgauge rubric diff test/rubric/released/docs-ai-readiness-1.0.0.yaml rubric.yaml", description: "Which version does my change owe?" },
    { command: "docgauge rubric diff main.yaml rubric.yaml --format markdown", description: "For a pull request" }
  ])
)
