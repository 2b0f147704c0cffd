import type { FactFields } from "../plugin/Fact.ts"
import { enumerated } from "../plugin/Wording.ts"
import { type Clause, conditionWords, groupLead, inOneLine, outline } from "./condition/ConditionWords.ts"
import {
  type Category,
  type CriterionDefinition,
  effortText,
  type GeneratorName,
  type LevelStatus,
  type Rubric
} from "./definition/Rubric.ts"
import type { LoadedCriterion, LoadedRubric } from "./RubricFile.ts"

/** What else a criterion's page tells, as lines of Markdown. */
interface Background {
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

/** The names of documentation generators as their makers write them; the titles in recipes.yaml are the same. */
export const GENERATOR_TITLES: Readonly<Record<GeneratorName, string>> = {
  docusaurus: "Docusaurus",
  mkdocs: "MkDocs",
  sphinx: "Sphinx",
  starlight: "Astro Starlight",
  vitepress: "VitePress"
}

const TITLES: ReadonlyMap<string, string> = new Map(Object.entries(GENERATOR_TITLES))

/** The title of the generator that a recipe is for; its id where a later rubric names one that is not known here. */
export const generatorTitle = (generator: string): string => TITLES.get(generator) ?? generator

/** A level in words. */
export interface ExplainedLevel {
  readonly status: LevelStatus
  readonly earns: number
  /** `null`: the last level, which has no condition. */
  readonly asks: Clause | null
}

/** A criterion as it is shown: definition, category, facts, levels in words. */
export interface Explanation {
  readonly definition: CriterionDefinition
  readonly category: Category
  /** On trial: measured, without points. */
  readonly onTrial: boolean
  readonly facts: FactFields
  readonly levels: ReadonlyArray<ExplainedLevel>
  readonly steps: ReadonlyArray<ExplainedStep>
}

/** A step of the remedy in words. */
interface ExplainedStep {
  readonly text: string
  /** When it counts as done; `null`: it is always advised. */
  readonly doneWhere: string | null
}

/** All criteria of a rubric in file order, those on trial last. */
export const explanations = <Bound>({
  criteria,
  experimental,
  rubric
}: LoadedRubric<Bound>): ReadonlyArray<Explanation> => {
  const explained =
    (onTrial: boolean) =>
    ({ category: letter, definition, facts, levels, steps }: LoadedCriterion<Bound>): ReadonlyArray<Explanation> => {
      const category = rubric.categories.find(({ id }) => id === letter)
      if (category === undefined) return []
      const inWords = levels.map(({ condition, earns, status }) => ({
        status,
        earns,
        asks: condition === null ? null : conditionWords(condition.tree, facts)
      }))
      const explainedSteps = steps.map(({ text, unless }) => ({
        text,
        doneWhere: unless === null ? null : inOneLine(conditionWords(unless.tree, facts))
      }))
      return [{ definition, category, onTrial, facts, levels: inWords, steps: explainedSteps }]
    }
  return [...criteria.flatMap(explained(false)), ...experimental.flatMap(explained(true))]
}

/** The deprecation of a criterion in words; `null` if it has none. */
export const deprecationText = ({ deprecated }: CriterionDefinition): string | null => {
  if (deprecated === undefined) return null
  const { replaced_by, since, until } = deprecated
  const successor = replaced_by === undefined ? "Nothing replaces it" : `${replaced_by} replaces it`
  return `Deprecated since version ${since}; removed in version ${until}. ${successor}.`
}

/** Where a criterion is not advised by itself, in sentences; empty if it always is. */
export const requirementsText = ({ applies, needs = [] }: CriterionDefinition): string =>
  [
    ...(needs.length === 0 ? [] : [needText(needs)]),
    ...(applies === undefined ? [] : ["Applies to sites with an HTTP API."])
  ].join(" ")

const needText = (needs: ReadonlyArray<string>): string => {
  const [first = ""] = needs
  const nothing = needs.length === 1 ? `${first} earns nothing` : `${enumerated(needs)} earn nothing`
  return `While ${nothing}, this is advised as part of ${needs.length === 1 ? "it" : first}.`
}

/** `1 point`, `5 points`. */
export const pointsText = (points: number): string => (points === 1 ? "1 point" : `${points} points`)

/** The first line of a level in a list: its points, and how many of the conditions below it needs. */
export const levelLead = ({ asks, earns, status }: ExplainedLevel): string => {
  const what = `${pointsText(earns)} (${status})`
  if (asks === null) return `${what} otherwise`
  return `${what} where ${asks._tag === "Plain" ? asks.text : groupLead(asks.lead)}`
}
