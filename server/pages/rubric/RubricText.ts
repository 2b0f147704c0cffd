import {
  criterionPage,
  deprecationText,
  type Explanation,
  pluginPath,
  pointsText
} from "../../../engine/rubric/CriterionPage.ts"
import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import type { RubricVersion } from "./Versions.ts"

/** The rubric as Markdown: criteria, points, and every version. */
export const rubricPageText = (
  rubric: Rubric,
  explained: ReadonlyArray<Explanation>,
  versions: ReadonlyArray<RubricVersion>
): string => {
  const onTrial = explained.filter((each) => each.onTrial)
  return paragraphs([
    "# Rubric",
    `> ${rubric.title} ${explained.length - onTrial.length} criteria in ${rubric.categories.length} categories, 100 points.`,
    `Version ${rubric.version} of ${rubric.id} is in force.`,
    ...rubric.categories.flatMap((category) => [
      `## ${category.id} ${category.title} (${pointsText(category.points)})`,
      category.why.trim(),
      list(explained.filter((each) => !each.onTrial && each.category.id === category.id))
    ]),
    ...(onTrial.length === 0
      ? []
      : [
          "## On trial",
          "Measured and reported apart; they earn nothing until a new version takes them in.",
          list(onTrial)
        ]),
    "## Levels",
    rubric.verdicts.map(({ from, meaning, word }) => `- ${word}, from ${from}: ${meaning}`).join("\n"),
    "## Versions",
    ...versions.flatMap((version) => [
      `### ${version.version}, ${version.date}`,
      version.what.trim(),
      ...(version.changes === null
        ? []
        : [
            version.changes
              .map(({ owes, subject, what }) => `- ${subject === null ? "" : `${subject}: `}${what} (${owes})`)
              .join("\n")
          ])
    ])
  ])
}

const list = (explained: ReadonlyArray<Explanation>): string =>
  explained
    .map(
      ({ definition, onTrial }) =>
        `- [${definition.id} ${definition.title}](/rubric/${definition.id}.md): ${onTrial ? "on trial" : pointsText(definition.points)}${deprecationText(definition) === null ? "" : ", deprecated"}`
    )
    .join("\n")

/** The page of a criterion as Markdown: that of docs/criteria, without links into the source tree and without the list of norms. */
export const criterionPageText = (explanation: Explanation, studies: ReadonlyArray<string>): string => {
  const {
    category,
    definition: { plugin }
  } = explanation
  return criterionPage(explanation, { norms: [], studies })
    .replace(/^<!--.*-->\n\n/, "")
    .replace(`\`${pluginPath(category.key, plugin)}\``, `\`${plugin}\``)
}

const paragraphs = (parts: ReadonlyArray<string>): string => `${parts.filter((part) => part !== "").join("\n\n")}\n`
