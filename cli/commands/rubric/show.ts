import { Argument, Command } from "effect/cli"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { capitalised } from "../../../engine/plugin/Wording.ts"
import { type Clause, outline } from "../../../engine/rubric/condition/ConditionWords.ts"
import {
  deprecationText,
  type Explanation,
  explanations,
  levelLead,
  pointsText
} from "../../../engine/rubric/CriterionPage.ts"
import { effortText, type Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import { ownEvidence, studiesOf, type Study, studyText } from "../../../engine/rubric/Evidence.ts"
import { suggestion } from "../../../engine/rubric/source/NearestName.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { wrongUsage } from "../../io/CliFailure.ts"
import { allowPlugins, noColor, rubric } from "../../io/Flags.ts"
import { readRubric } from "../../io/Rubrics.ts"
import { block, outputStyle, terminalWidth } from "../../render/Style.ts"
import type { TextOptions } from "../../render/TextReport.ts"

const LONGEST = 2_000

const fitting = (width: number): number => Math.min(Math.max(width, 60), 110)

/** Everything about one criterion, for a terminal. */
const renderCriterion = (
  explanation: Explanation,
  studies: ReadonlyArray<Study>,
  { style, width: columns }: TextOptions
): string => {
  const { category, definition, levels, onTrial, steps } = explanation
  const { how, id, plugin, references, remedy, revision, title, why } = definition
  const width = fitting(columns)
  const paragraph = (text: string): ReadonlyArray<string> => block(plainText(text, LONGEST), width, "  ")
  const deprecated = deprecationText(definition)
  const sections: ReadonlyArray<ReadonlyArray<string>> = [
    [
      style.bold(`${id} ${plainText(title)}`),
      style.dim(
        `${plainText(category.title)}, ${onTrial ? "experimental, without points" : pointsText(definition.points)}; plugin ${plugin}, revision ${revision}`
      ),
      ...(deprecated === null ? [] : [style.poor(deprecated)])
    ],
    [style.bold("Why"), ...paragraph(why)],
    [style.bold("How it is measured"), ...paragraph(how)],
    [
      style.bold("Levels"),
      ...levels.flatMap((level) => [
        ...item(plainText(levelLead(level), LONGEST), width, "  "),
        ...clauses(level.asks, width)
      ])
    ],
    [
      style.bold("What to do"),
      `  ${style.dim(capitalised(effortText(remedy.effort)))}`,
      ...steps.flatMap(({ text }) => item(plainText(text, LONGEST), width, "  "))
    ],
    ...(studies.length === 0
      ? []
      : [
          [
            style.bold("Evidence"),
            ...studies.flatMap((study) => [
              ...item(plainText(studyText(study), LONGEST), width, "  "),
              ...(study.url === undefined ? [] : [`    ${style.dim(study.url)}`])
            ])
          ]
        ]),
    [
      style.bold("To read"),
      ...references.flatMap(({ title, url }) => [`  ${plainText(title)}`, `    ${style.dim(url)}`])
    ]
  ]
  return sections.map((lines) => lines.join("\n")).join("\n\n")
}

const clauses = (asks: Clause | null, width: number): ReadonlyArray<string> =>
  asks === null
    ? []
    : outline(asks).flatMap(({ depth, text }) => item(plainText(text, LONGEST), width, "  ".repeat(depth + 2)))

/** A wrapped list item with a hanging indent. */
const item = (text: string, width: number, indent: string): ReadonlyArray<string> =>
  block(text, width - 2, indent).map(
    (line, index) => `${indent}${index === 0 ? "– " : "  "}${line.slice(indent.length)}`
  )

/** All criteria by category, a line each. */
const renderRubric = (
  { id, title, verdicts, version }: Rubric,
  explained: ReadonlyArray<Explanation>,
  { style, width: columns }: TextOptions
): string => {
  const width = fitting(columns)
  const line = ({ definition, onTrial }: Explanation): string => {
    const points = onTrial ? "–" : String(definition.points)
    return `  ${definition.id.padEnd(4)}${points.padStart(2)}  ${plainText(definition.title, width - 10)}${definition.deprecated === undefined ? "" : style.poor(" deprecated")}`
  }
  const categories = [...new Set(explained.map(({ category }) => category))]
  const settled = explained.filter(({ onTrial }) => !onTrial)
  const onTrial = explained.filter((each) => each.onTrial)
  return [
    `${style.bold(plainText(title))}  ${style.dim(`${id} ${version}`)}`,
    ...categories.flatMap((category) => [
      "",
      `${style.bold(`${category.id} ${plainText(category.title)}`)}  ${category.points}`,
      ...block(plainText(category.why, LONGEST), width, "  ").map(style.dim),
      ...settled.filter((each) => each.category === category).map(line)
    ]),
    ...(onTrial.length === 0 ? [] : ["", style.bold("On trial"), ...onTrial.map(line)]),
    "",
    verdicts.map(({ from, word }) => `${from} ${word}`).join(", ")
  ].join("\n")
}

/** `docgauge rubric show`: what each criterion measures and why. */
export const show = Command.make(
  "show",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("A criterion, such as A1; all by default"),
      Argument.optional
    ),
    rubric,
    allowPlugins,
    noColor
  },
  Effect.fn("rubric show")(function* ({ allowPlugins, id, noColor, rubric: file }) {
    const loaded = yield* readRubric(file, allowPlugins)
    const explained = explanations(loaded)
    const options = { width: terminalWidth(), style: outputStyle(noColor) }
    if (Option.isNone(id)) return yield* Console.log(renderRubric(loaded.rubric, explained, options))
    const wanted = explained.find(
      ({ definition }) => definition.id === id.value.toUpperCase() || definition.plugin === id.value
    )
    const ids = explained.map(({ definition }) => definition.id)
    if (wanted === undefined)
      return yield* wrongUsage(
        `there is no criterion "${id.value}"; ${suggestion(id.value.toUpperCase(), ids, "the criteria are") ?? "the rubric has none"}`
      )
    const studies = studiesOf(yield* ownEvidence, wanted.definition.evidence ?? [])
    yield* Console.log(renderCriterion(wanted, studies, options))
  })
).pipe(
  Command.withDescription(
    "Explain the rubric: why each criterion matters, how it is measured, what each level requires, how to fix it"
  ),
  Command.withExamples([
    { command: "docgauge rubric show", description: "All criteria and their points" },
    { command: "docgauge rubric show A1", description: "One criterion in full" }
  ])
)
