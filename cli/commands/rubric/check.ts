import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Argument, Command } from "effect/cli"
import { checkRubric, type LoadedRubric } from "../../../engine/rubric/RubricFile.ts"
import { isWarning, type Problem, render } from "../../../engine/rubric/source/Problem.ts"
import { checkDiagnostics } from "../../../engine/rubric/lint/CheckRules.ts"
import { allowPlugins, formatFlag } from "../../io/Flags.ts"
import { wrongUsage } from "../../io/CliFailure.ts"
import { renderSarif } from "../../render/Sarif.ts"
import { pluginsOf, rejected, rubricBytes } from "../../io/Rubrics.ts"
import { ownEvidence } from "../../../server/config/OwnFiles.ts"
import { OWN_RUBRIC } from "../../../server/config/RubricLoading.ts"

/** `docgauge rubric check`: runs the loader's checks, and checks that no two criteria have the same text, that each remedy has advice while points are missing, and that the points of the published rubric follow their evidence. */
export const check = Command.make(
  "check",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("The rubric file; the built-in one by default"),
      Argument.optional
    ),
    format: formatFlag(
      ["text", "json", "sarif"],
      "Output format: text, json, or sarif (SARIF 2.1.0, for editors and CI). --format sarif"
    ),
    allowPlugins
  },
  Effect.fn("rubric check")(function* ({ allowPlugins, file, format }) {
    const path = Option.getOrElse(file, () => OWN_RUBRIC.file)
    const bytes = yield* rubricBytes(path)
    const plugins = yield* pluginsOf(bytes, path, allowPlugins)
    const result = yield* Effect.result(checkRubric(bytes, path, plugins, checkDiagnostics(yield* ownEvidence)))
    const problems = Result.isFailure(result) ? result.failure.problems : result.success.warnings
    if (format === "json") {
      const told = problems.map((problem) => ({ ...problem, severity: isWarning(problem) ? "warning" : "error" }))
      yield* Console.log(JSON.stringify({ file: path, ok: Result.isSuccess(result), problems: told }, null, 2))
    }
    if (format === "sarif") yield* Console.log(renderSarif(problems))
    if (Result.isFailure(result)) {
      return yield* format === "text"
        ? rejected(problems, `${path} cannot be used`)
        : wrongUsage(`${path} has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}.`)
    }
    const { loaded, warnings } = result.success
    const { criteria, digest, experimental } = loaded
    const onTrial = experimental.length === 0 ? "" : ` and ${experimental.length} on trial`
    if (format !== "text") return
    yield* Console.log(`${validText(path, loaded)}: ${criteria.length} criteria${onTrial}, ${digest}`)
    if (warnings.length > 0) yield* Console.error(warningText(warnings))
  })
).pipe(
  Command.withDescription(
    "Check a rubric file and list every problem with its line and column; exits with 2 if the rubric cannot be used, with 0 if there are only warnings"
  ),
  Command.withExamples([
    { command: "docgauge rubric check rubric.yaml", description: "Check a rubric before committing it" },
    {
      command: "docgauge rubric check rubric.yaml --format sarif > rubric.sarif",
      description: "In CI: for code scanning"
    }
  ])
)

const warningText = (warnings: ReadonlyArray<Problem>): string =>
  `${warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`}:\n\n${warnings.map(render).join("\n\n")}`

const validText = (file: string, { base, changedBy, rubric: { id, version } }: LoadedRubric<unknown>): string => {
  if (base !== null)
    return `${file} is valid: it extends ${base.id} ${base.version}${id === base.id ? "" : ` as ${id} ${version}`}`
  return changedBy === null ? `${id} ${version} is valid` : `${file} is valid: it changes ${id} ${version}`
}
