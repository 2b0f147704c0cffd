import { outline } from "./condition/ConditionWords.ts"
import { effortText } from "./definition/Effort.ts"
import {
  deprecationText,
  type ExplainedLevel,
  type ExplainedStep,
  type Explanation,
  levelLead,
  pointsText,
  requirementsText
} from "./Explanation.ts"
import { generatorTitle } from "./GeneratorTitle.ts"
import type { Rubric } from "./definition/Rubric.ts"

/** What else a criterion's page tells, as lines of Markdown. */
export interface Background {
  /** The norms that it holds sites to (`normLine`). */
  readonly norms: ReadonlyArray<string>
  /** The studies that its points rest on (`studyLine`). */
  readonly studies: ReadonlyArray<string>
}

/** The page of a criterion, as Markdown: why, how, levels in words, what to do, evidence, what to read. `docs/criteria/<ID>.md`. */
export const criterionPage = (
  { category, definition, facts, levels, onTrial, steps }: Explanation,
  { norms, studies }: Background
): string => {
  const { how, id, params, plugin, references, remedy, revision, title, why } = definition
  const worth = onTrial ? "on trial, earning nothing yet" : pointsText(definition.points)
  const deprecated = deprecationText(definition)
  const requirements = requirementsText(definition)
  return [
    "<!-- Made from rubric.yaml by `npm run docs:criteria`. -->",
    "",
    `# ${id} ${title}`,
    "",
    `${category.title}, ${worth}. Measured by \`${pluginPath(category.key, plugin)}\`, revision ${revision}.`,
    "",
    ...(deprecated === null ? [] : [`> ${deprecated}`, ""]),
    ...(requirements === "" ? [] : [requirements, ""]),
    "## Why",
    "",
    why.trim(),
    "",
    "## How it is measured",
    "",
    how.trim(),
    "",
    ...(Object.keys(params).length === 0
      ? []
      : [
          `Params: ${Object.entries(params)
            .map(([name, value]) => `\`${name}\` ${JSON.stringify(value)}`)
            .join(", ")}.`,
          ""
        ]),
    "## Levels",
    "",
    "Tried in order; the first that holds counts.",
    "",
    ...levels.flatMap((level) => [`- ${levelLead(level)}`, ...parts(level)]),
    "",
    "## What to do",
    "",
    `It ${effortText(remedy.effort)}.`,
    "",
    ...steps.map(stepLine),
    "",
    ...recipeLines(remedy.recipes),
    "## Facts",
    "",
    "| fact | kind | meaning |",
    "|---|---|---|",
    ...Object.entries(facts).map(
      ([name, { kind, meaning }]) => `| \`${name}\` | ${kind} | ${meaning.replaceAll("|", "\\|")} |`
    ),
    "",
    ...(studies.length === 0 ? [] : ["## Evidence", "", ...studies, ""]),
    "## To read",
    "",
    ...references.map((reference) => `- [${reference.title}](${reference.url})`),
    "",
    ...(norms.length === 0 ? [] : ["Norms:", "", ...norms, ""])
  ].join("\n")
}

const stepLine = ({ doneWhere, text }: ExplainedStep, index: number): string =>
  `${index + 1}. ${text.trim()}${doneWhere === null ? "" : `  \n   Done if: ${doneWhere}.`}`

const recipeLines = (recipes: Explanation["definition"]["remedy"]["recipes"] = {}): ReadonlyArray<string> => {
  const lines = Object.entries(recipes).map(
    ([generator, { do: what, url }]) => `- ${generatorTitle(generator)}: ${what.trim()} [Documentation](${url})`
  )
  return lines.length === 0 ? [] : ["With a generator:", "", ...lines, ""]
}

const parts = ({ asks }: ExplainedLevel): ReadonlyArray<string> =>
  asks === null ? [] : outline(asks).map(({ depth, text }) => `${"  ".repeat(depth + 1)}- ${text}`)

/** The path of a plugin: in the folder of its category. */
export const pluginPath = (categoryKey: string, plugin: string): string =>
  `plugins/${pluginFolder(categoryKey)}/${plugin}.ts`

export const pluginFolder = (categoryKey: string): string => categoryKey.toLowerCase().replaceAll("_", "-")

/** The index of those pages, as Markdown: each criterion with its points, and what a total score is called. `docs/criteria/README.md`. */
export const criteriaIndex = (
  { verdicts }: Pick<Rubric, "verdicts">,
  explained: ReadonlyArray<Explanation>
): string => {
  const onTrial = explained.filter((each) => each.onTrial)
  const rows = explained
    .filter((each) => !each.onTrial)
    .flatMap(({ category, definition: { deprecated, id, points, title } }, index, all) => [
      ...(all[index - 1]?.category.id === category.id
        ? []
        : [`| **${category.id}** | **${category.title}** | **${category.points}** |`]),
      `| [${id}](${id}.md) | ${title}${deprecated === undefined ? "" : ` (deprecated, until ${deprecated.until})`} | ${points} |`
    ])
  return [
    "<!-- Made from rubric.yaml by `npm run docs:criteria`. -->",
    "",
    "# The criteria",
    "",
    "Each leads to its page: why it matters to an agent, how it is measured, its levels, and how to fix it.",
    "",
    "| | criterion | points |",
    "|---|---|---|",
    ...rows,
    "",
    ...(onTrial.length === 0
      ? []
      : [
          "On trial, measured without points:",
          "",
          ...onTrial.map(({ definition: { id, title } }) => `- [${id}](${id}.md) ${title}`),
          ""
        ]),
    "## What a score is called",
    "",
    "| from | level | meaning |",
    "|---|---|---|",
    ...verdicts.map(({ from, meaning, word }) => `| ${from} | ${word} | ${meaning} |`),
    ""
  ].join("\n")
}
