import { pathToFileURL } from "node:url"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { type Problem, ProblemRule } from "../../engine/rubric/Problem.ts"

/** What each rule asks for, in one sentence. */
const RULES: Readonly<Record<ProblemRule, string>> = {
  file: "The file can be read: it is there, in UTF-8, and no longer than a rubric can be.",
  yaml: "The file is YAML without aliases and tags.",
  duplicate_key: "A key is given once.",
  unknown_key: "Keys are those of a rubric.",
  missing_key: "No key that is needed is left out.",
  value: "A value is of the kind that its key takes.",
  duplicate_id: "An id is given once.",
  points: "Points add up.",
  levels: "Levels earn less and less; all but the last have a condition.",
  condition: "A condition is CEL over the facts of its plugin, and true or false.",
  unreachable_level: "Some facts reach each level.",
  plugin: "Each criterion has its plugin, in the revision that it is written for, and each plugin its criterion.",
  params: "Params are those that the plugin takes.",
  changes: "The history is that of this version, newest first.",
  repeated_text: "Each text says something of its own."
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
  level: "error",
  message: { text: hint === null ? message : `${message}. ${hint}` },
  locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line, startColumn: column } } }]
})

/** A file as SARIF names it: relative where it was given so. */
const uriOf = (file: string): string =>
  file.startsWith("/") ? pathToFileURL(file).href : file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/")
