import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Argument, Command, Flag } from "effect/cli"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { textFindings } from "../../../engine/rubric/TextRules.ts"
import { wrongUsage } from "../../CliFailure.ts"
import { renderSarif } from "../../render/Sarif.ts"
import { OWN_RUBRIC, pluginsFor, rejected, rubricBytes } from "../../Rubrics.ts"
import { allowPlugins } from "../auditFlags.ts"

/** `docgauge rubric check`: what the loader checks, and that no two criteria say the same. */
export const check = Command.make("check", {
  file: Argument.String("file").pipe(Argument.withDescription("The rubric file; this package's own where it is left out"), Argument.optional),
  format: Flag.Literals("format", ["text", "json", "sarif"]).pipe(
    Flag.withDescription("How to print problems: text, json, or sarif (SARIF 2.1.0, for editors and CI), such as --format sarif"),
    Flag.withDefault("text")
  ),
  allowPlugins
}, Effect.fn("rubric check")(function*({ allowPlugins, file, format }) {
  const path = Option.getOrElse(file, () => OWN_RUBRIC)
  const bytes = yield* rubricBytes(path)
  const plugins = yield* pluginsFor(bytes, path, allowPlugins)
  const result = yield* Effect.result(loadRubric(bytes, path, plugins, textFindings))
  const problems = Result.isFailure(result) ? result.failure.problems : []
  if (format === "json") yield* Console.log(JSON.stringify({ file: path, ok: problems.length === 0, problems }, null, 2))
  if (format === "sarif") yield* Console.log(renderSarif(problems))
  if (Result.isFailure(result)) {
    return yield* format === "text" ? rejected(problems, `${path} cannot be used`) : wrongUsage(`${path} has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}.`)
  }
  const { criteria, digest, experimental, rubric: { id, version } } = result.success
  const onTrial = experimental.length === 0 ? "" : ` and ${experimental.length} on trial`
  if (format === "text") yield* Console.log(`${id} ${version} is in order: ${criteria.length} criteria${onTrial}, ${digest}`)
})).pipe(
  Command.withDescription("Check a rubric file: every problem with its line and column; exit 2 where there is one"),
  Command.withExamples([
    { command: "docgauge rubric check rubric.yaml", description: "Check a rubric before committing it" },
    { command: "docgauge rubric check rubric.yaml --format sarif > rubric.sarif", description: "In CI: for code scanning" }
  ])
)
