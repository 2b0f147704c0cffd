import { Argument, Command } from "effect/cli"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type { RubricChange } from "../../../engine/rubric/diff/RubricChange.ts"
import { diffRubrics, type RubricDiff } from "../../../engine/rubric/diff/RubricDiff.ts"
import type { Bump } from "../../../engine/rubric/source/VersionBump.ts"
import { escapeMarkdown, markdownTable } from "../../../engine/text/MarkupText.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { CliFailure, ExitCode } from "../../io/CliFailure.ts"
import { formatFlag, noColor } from "../../io/Flags.ts"
import { readRubricAlone } from "../../io/Rubrics.ts"
import { block, outputStyle, type Style, terminalWidth } from "../../render/Style.ts"
import type { TextOptions } from "../../render/TextReport.ts"

/** Too long for a table cell, but the reader needs the whole condition. */
const LONGEST = 2_000

const OWED: Readonly<Record<Bump, string>> = {
  none: "Nothing that affects scores or texts changed: no new version is required.",
  patch: "A patch version is required: only the wording changed.",
  minor: "A minor version is required: scores can only rise.",
  major: "A major version is required: scores may fall."
}

const verdict = (diff: RubricDiff): ReadonlyArray<string> =>
  diff.versioned
    ? versionVerdict(diff)
    : [
        diff.id === diff.fromId
          ? "The file has the version of the rubric that it extends: give it an `id` of its own to version it."
          : "These are two rubrics: their versions are not compared."
      ]

const versionVerdict = (diff: RubricDiff): ReadonlyArray<string> => [
  OWED[diff.owed],
  ...diff.faults.map(sentence),
  ...(diff.faults.length > 0 || diff.from === diff.to ? [] : [`${diff.from} → ${diff.to} is enough.`])
]

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`

const heading = ({ from, fromId, id, to }: RubricDiff): string =>
  id === fromId ? `${id} ${from} → ${to}` : `${fromId} ${from} → ${id} ${to}`

/** The subjects of the changes, in the order of the changes. */
const subjects = ({ changes }: RubricDiff): ReadonlyArray<string | null> => [
  ...new Set(changes.map(({ subject }) => subject))
]

const colourOf = (style: Style, owes: Bump): Style["good"] => {
  if (owes === "major") return style.poor
  return owes === "minor" ? style.fair : style.good
}

/** For a terminal: what changed, subject by subject, and what that owes. */
const renderRubricDiffText = (diff: RubricDiff, { style, width }: TextOptions): string => {
  const change = ({ owes, what, why }: RubricChange): ReadonlyArray<string> => {
    const [first = "", ...rest] = block(plainText(what, LONGEST), width - 8, "")
    return [
      `  ${colourOf(style, owes)(owes.padEnd(5))}  ${first}`,
      ...rest.map((line) => `         ${line}`),
      ...block(why, width, "         ").map(style.dim)
    ]
  }
  const sections = subjects(diff).flatMap((subject) => [
    "",
    style.bold(subject ?? "The rubric"),
    ...diff.changes.filter((each) => each.subject === subject).flatMap(change)
  ])
  return [style.bold(heading(diff)), ...verdict(diff).flatMap((line) => block(line, width, "")), ...sections].join("\n")
}

/** For a pull request. */
const renderRubricDiffMarkdown = (diff: RubricDiff): string => {
  const rows = diff.changes.map(({ owes, subject, what, why }) => [
    subject ?? "",
    markdownOf(what),
    `**${owes}**`,
    escapeMarkdown(why)
  ])
  return [
    `### Rubric ${escapeMarkdown(heading(diff))}`,
    "",
    ...verdict(diff).flatMap((line) => [
      diff.faults.map(sentence).includes(line) ? `❌ ${markdownOf(line)}` : markdownOf(line),
      ""
    ]),
    ...(rows.length === 0 ? [] : markdownTable(["Id", "Change", "Requires", "Why"], rows))
  ]
    .join("\n")
    .trimEnd()
}

/** Escapes a text, except for its quoted parts. */
const markdownOf = (text: string): string =>
  plainText(text, LONGEST)
    .split("`")
    .map((part, index) => (index % 2 === 1 ? `\`${part.replaceAll("|", "\\|")}\`` : escapeMarkdown(part)))
    .join("")

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
