import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { Command } from "effect/cli"
import { type Explanation, explanations } from "../../../engine/rubric/CriterionPage.ts"
import { block } from "../../render/Wrap.ts"
import { allowPlugins, formatFlag, noColor, rubric } from "../../io/Flags.ts"
import { readRubric } from "../../io/Rubrics.ts"
import { outputStyle, terminalWidth } from "../../render/Terminal.ts"

/** `docgauge criterion list`: which plugin measures what for which criterion. */
export const list = Command.make(
  "list",
  {
    rubric,
    allowPlugins,
    format: formatFlag(["text", "json"], "Output format. --format json"),
    noColor
  },
  Effect.fn("criterion list")(function* ({ allowPlugins, format, noColor, rubric }) {
    const explained = explanations(yield* readRubric(rubric, allowPlugins))
    if (format === "json") return yield* Console.log(JSON.stringify(explained.map(described), null, 2))
    const style = outputStyle(noColor)
    const longest = Math.max(...explained.map(({ definition }) => definition.plugin.length))
    const longestRevision = Math.max(2, ...explained.map(({ definition }) => String(definition.revision).length))
    const width = Math.max(60, terminalWidth())
    yield* Console.log(
      explained
        .flatMap(({ definition: { id, plugin, points, revision }, facts, onTrial }) => {
          const head = `${id.padEnd(4)}${(onTrial ? "–" : String(points)).padStart(3)}  ${plugin.padEnd(longest)}  ${String(revision).padStart(longestRevision)}  `
          const [first = "", ...rest] = block(Object.keys(facts).join(", "), width - head.length, "")
          return [
            `${style.bold(id.padEnd(4))}${head.slice(4)}${first}`,
            ...rest.map((line) => " ".repeat(head.length) + line)
          ]
        })
        .join("\n")
    )
  })
).pipe(
  Command.withDescription("List criteria with their points, plugin, revision and facts"),
  Command.withExamples([
    { command: "docgauge criterion list --format json", description: "Include the meaning of each fact" }
  ])
)

const described = ({ category, definition, facts, onTrial }: Explanation) => {
  const { deprecated, id, params, plugin, points, revision, title } = definition
  return {
    id,
    title,
    category: category.key,
    points: onTrial ? 0 : points,
    on_trial: onTrial,
    ...(deprecated === undefined ? {} : { deprecated }),
    plugin,
    revision,
    params,
    facts: Object.entries(facts).map(([name, fact]) => ({ name, ...fact }))
  }
}
