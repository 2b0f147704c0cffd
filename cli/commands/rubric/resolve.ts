import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { Argument, Command, Flag } from "effect/cli"
import { formatThreeText } from "../../../engine/rubric/format/FormatThreeText.ts"
import { readRubricAlone } from "../../io/Rubrics.ts"

/** `docgauge rubric resolve`: the whole that a rubric with `extends` comes to. */
export const resolve = Command.make(
  "resolve",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("The rubric file, or the name and version of a rubric, such as docs-ai-readiness@2")
    ),
    format: Flag.Literals("format", ["yaml", "json"]).pipe(
      Flag.withMetavar("FORMAT"),
      Flag.withDescription("Output format. --format json"),
      Flag.withDefault("yaml")
    )
  },
  Effect.fn("rubric resolve")(function* ({ file, format }) {
    const { asWritten, base, digest, formatThree, rubric } = yield* readRubricAlone(file)
    if (format === "json") return yield* Console.log(JSON.stringify(rubric, null, 2))
    const origin = base === null ? file : `${file}, which extends ${base.id} ${base.version}`
    yield* Console.log(`# ${origin} (${digest})\n${formatThreeText(asWritten, formatThree).trimEnd()}`)
  })
).pipe(
  Command.withDescription("Print a rubric that extends another one as a whole, with everything that it inherits"),
  Command.withExamples([{ command: "docgauge rubric resolve house.yaml", description: "What the house rules come to" }])
)
