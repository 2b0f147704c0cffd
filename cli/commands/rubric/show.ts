import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Argument, Command, Flag } from "effect/cli"
import { explanations } from "../../../engine/rubric/Explanation.ts"
import { suggestion } from "../../../engine/rubric/NearestName.ts"
import { wrongUsage } from "../../CliFailure.ts"
import { renderCriterion, renderRubric } from "../../render/CriterionText.ts"
import { readRubric } from "../../Rubrics.ts"
import { outputStyle, terminalWidth } from "../../Terminal.ts"
import { allowPlugins } from "../auditFlags.ts"

/** `docgauge rubric show`: what is measured and why, criterion by criterion. */
export const show = Command.make("show", {
  id: Argument.String("id").pipe(Argument.withDescription("A criterion, such as A1; all of them where it is left out"), Argument.optional),
  rubric: Flag.String("rubric").pipe(Flag.withMetavar("FILE"), Flag.withDescription("Another rubric than this package's. --rubric ./rubric.yaml"), Flag.optional),
  allowPlugins,
  noColor: Flag.Boolean("no-color").pipe(Flag.withDescription("No colours, even on a terminal"), Flag.withDefault(false))
}, Effect.fn("rubric show")(function*({ allowPlugins, id, noColor, rubric: file }) {
  const loaded = yield* readRubric(file, allowPlugins)
  const explained = explanations(loaded)
  const options = { width: terminalWidth(), style: outputStyle(noColor) }
  if (Option.isNone(id)) return yield* Console.log(renderRubric(loaded.rubric, explained, options))
  const wanted = explained.find(({ definition }) => definition.id === id.value.toUpperCase() || definition.plugin === id.value)
  const ids = explained.map(({ definition }) => definition.id)
  if (wanted === undefined) return yield* wrongUsage(`there is no criterion "${id.value}": ${suggestion(id.value.toUpperCase(), ids, "there are") ?? "the rubric has none"}`)
  yield* Console.log(renderCriterion(wanted, options))
})).pipe(
  Command.withDescription("Explain the rubric: why each criterion matters, how it is measured, its levels in words, what to do, what to read"),
  Command.withExamples([
    { command: "docgauge rubric show", description: "All criteria and their points" },
    { command: "docgauge rubric show A1", description: "Everything about one" }
  ])
)
