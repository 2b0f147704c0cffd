import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { Argument, Command } from "effect/cli"
import { diffRubrics } from "../../../engine/rubric/diff/RubricDiff.ts"
import { formatFlag, noColor } from "../../io/Flags.ts"
import { CliFailure, ExitCode } from "../../io/CliFailure.ts"
import { renderRubricDiffMarkdown, renderRubricDiffText } from "../../render/RubricDiff.ts"
import { readRubricAlone } from "../../io/Rubrics.ts"
import { outputStyle, terminalWidth } from "../../render/Terminal.ts"

/** `docgauge rubric diff`: what changed, the version bump that it requires, and whether the new version is enough. */
export const diff = Command.make(
  "diff",
  {
    old: Argument.String("old").pipe(Argument.withDescription("The earlier rubric, such as the last released one")),
    new: Argument.String("new").pipe(Argument.withDescription("The later rubric")),
    format: formatFlag(["text", "markdown", "json"], "Output format. --format markdown"),
    noColor
  },
  Effect.fn("rubric diff")(function* ({ format, new: later, noColor, old }) {
    const result = diffRubrics(yield* readRubricAlone(old), yield* readRubricAlone(later))
    if (format === "json") yield* Console.log(JSON.stringify(result, null, 2))
    if (format === "markdown") yield* Console.log(renderRubricDiffMarkdown(result))
    if (format === "text")
      yield* Console.log(renderRubricDiffText(result, { width: terminalWidth(), style: outputStyle(noColor) }))
    if (result.faults.length > 0)
      yield* new CliFailure({ code: ExitCode.belowTarget, message: `${later}: ${result.faults.join("; ")}.` })
  })
).pipe(
  Command.withDescription(
    "List what changed between two rubrics and the version number that this requires; exits with 1 if the new version is too low"
  ),
  Command.withExamples([
    {
      command: "docgauge rubric diff test/rubric/released/docs-ai-readiness-1.0.0.yaml rubric.yaml",
      description: "Find out which version a change requires"
    },
    { command: "docgauge rubric diff main.yaml rubric.yaml --format markdown", description: "For a pull request" }
  ])
)
