import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Argument, Command } from "effect/cli"
import { explanations } from "../../../engine/rubric/CriterionPage.ts"
import { studiesOf } from "../../../engine/rubric/Evidence.ts"
import { suggestion } from "../../../engine/rubric/source/NearestName.ts"
import { allowPlugins, noColor, rubric } from "../../io/Flags.ts"
import { wrongUsage } from "../../io/CliFailure.ts"
import { renderCriterion, renderRubric } from "../../render/CriterionText.ts"
import { ownEvidence } from "../../../server/config/OwnFiles.ts"
import { readRubric } from "../../io/Rubrics.ts"
import { outputStyle, terminalWidth } from "../../render/Terminal.ts"

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
