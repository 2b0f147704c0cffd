import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import {
  type Category,
  type CriterionDefinition,
  effortText,
  type Rubric,
  stepText
} from "../../../engine/rubric/definition/Rubric.ts"

/** The rubric in force, read on first use. */
export class RubricBook extends Context.Service<
  RubricBook,
  {
    readonly rubric: Effect.Effect<Rubric>
  }
>()("docgauge/server/mcp/RubricBook") {}

/** The rubric in Markdown: all criteria with their points. */
export const rubricMarkdown = ({ categories, id, title, verdicts, version }: Rubric): string =>
  lines([
    `# ${title}`,
    `Rubric ${id} ${version}: ${categories.flatMap(({ criteria }) => criteria).length} criteria, 100 points. Each has its own page: docgauge://rubric/A1 and so on.`,
    ...categories.map(categorySection),
    "## Levels",
    verdicts.map(({ from, meaning, word }) => `- ${word} (from ${from}): ${meaning}`).join("\n")
  ])

const categorySection = ({ criteria, id, points, title, why }: Category): string =>
  lines([
    `## ${id} ${title} (${points} points)`,
    why,
    criteria.map((criterion) => `- ${criterion.id} ${criterion.title} (${criterion.points})`).join("\n")
  ])

/** One criterion in Markdown: why it matters, how it is measured, how to meet it. */
export const criterionMarkdown = ({
  how,
  id,
  levels,
  points,
  references,
  remedy,
  title,
  why
}: CriterionDefinition): string =>
  lines([
    `# ${id} ${title}`,
    `Worth ${points} ${points === 1 ? "point" : "points"}; the fix ${effortText(remedy.effort)}.`,
    `## Why\n\n${why}`,
    `## How it is measured\n\n${how}`,
    `## Levels\n\n${levels.map(({ earns, status, when }) => `- ${status}: ${earns} ${when === undefined ? "otherwise" : `where \`${when}\``}`).join("\n")}`,
    `## How to meet it\n\n${remedy.steps.map((step, index) => `${index + 1}. ${stepText(step)}`).join("\n")}`,
    ...(references.length === 0
      ? []
      : [`## References\n\n${references.map((reference) => `- [${reference.title}](${reference.url})`).join("\n")}`])
  ])

/** The criterion with this id, ignoring case; `null`: unknown. */
export const criterionOf = ({ categories, experimental = [] }: Rubric, id: string): CriterionDefinition | null =>
  [...categories.flatMap(({ criteria }) => criteria), ...experimental].find(
    (criterion) => criterion.id === id.toUpperCase()
  ) ?? null

/** All criterion ids, in the rubric's order. */
export const criterionIds = ({ categories }: Rubric): ReadonlyArray<string> =>
  categories.flatMap(({ criteria }) => criteria.map(({ id }) => id))

const lines = (parts: ReadonlyArray<string>): string => `${parts.join("\n\n").trimEnd()}\n`
