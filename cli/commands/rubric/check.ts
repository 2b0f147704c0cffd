import { Argument, Command } from "effect/cli"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { pathToFileURL } from "node:url"
import { ENGINE_VERSION } from "../../../engine/audit/Version.ts"
import { checkDiagnostics } from "../../../engine/rubric/lint/CheckRules.ts"
import { checkRubric, type LoadedRubric, OWN_RUBRIC } from "../../../engine/rubric/RubricFile.ts"
import { isWarning, type Problem, ProblemRule, render } from "../../../engine/rubric/source/Problem.ts"
import { ownEvidence } from "../../../engine/rubric/Evidence.ts"
import { wrongUsage } from "../../io/CliFailure.ts"
import { allowPlugins, formatFlag } from "../../io/Flags.ts"
import { pluginsOf, rejected, rubricBytes } from "../../io/Rubrics.ts"

/** What each rule requires, in one sentence. */
const RULES: Readonly<Record<ProblemRule, string>> = {
  file: "The file exists, is UTF-8, and does not exceed the maximum length.",
  yaml: "The file is valid YAML without aliases and tags.",
  duplicate_key: "Each key occurs once.",
  unknown_key: "All keys are known.",
  missing_key: "All required keys are present.",
  value: "Each value has the type of its key.",
  duplicate_id: "Ids are unique.",
  points: "Points add up.",
  levels: "Levels are ordered by points, highest first; all except the last have a condition.",
  condition: "Conditions are CEL expressions over the plugin's facts that return true or false.",
  unreachable_level: "Each level can be reached.",
  evidence: "The points of the published rubric follow the studies that it cites.",
  finished_remedy: "A remedy has a step for each level that misses points.",
  plugin: "Each criterion names a plugin with its current revision, and each plugin has a criterion.",
  params: "Params match the plugin's schema.",
  changes: "The list of changes begins with this version, newest first.",
  extends: "A rubric that extends another one names a rubric of this package and criteria that it has.",
  text_number: "A name in braces in a text is a param, or a fact that a condition compares with a number.",
  repeated_text: "No two criteria have the same text.",
  placeholder_text: "No text or reference is a placeholder.",
  loose_number: "Each number in a text is one of its criterion's.",
  nothing_judged: "A rule on a share of pages or places earns nothing where there is none."
}

/** Problems as a log in SARIF 2.1.0, for editors and for code scanning. */
export const renderSarif = (problems: ReadonlyArray<Problem>): string => {
  const driver = {
    name: "docgauge",
    version: ENGINE_VERSION,
    rules: ProblemRule.literals.map((id) => ({ id, shortDescription: { text: RULES[id] } }))
  }
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results: problems.map(resultOf) }]
  }
  return JSON.stringify(log, null, 2)
}

const resultOf = ({ column, file, hint, line, message, rule }: Problem) => ({
  ruleId: rule,
  ruleIndex: ProblemRule.literals.indexOf(rule),
  level: isWarning({ rule }) ? "warning" : "error",
  message: { text: hint === null ? message : `${message}. ${hint}` },
  locations: [
    { physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line, startColumn: column } } }
  ]
})

/** The SARIF URI of a file: relative if the path is. */
const uriOf = (file: string): string =>
  file.startsWith("/")
    ? pathToFileURL(file).href
    : file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/")

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
