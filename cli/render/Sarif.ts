import { pathToFileURL } from "node:url"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { isWarning, type Problem, ProblemRule } from "../../engine/rubric/source/Problem.ts"

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
