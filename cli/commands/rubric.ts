import { Argument, Command, Flag } from "effect/cli"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { rulesWithoutCode } from "../../engine/plugin/RuleWithoutCode.ts"
import { formatThreeText } from "../../engine/rubric/format/FormatThreeText.ts"
import { rubricJsonSchema } from "../../engine/rubric/RubricExtension.ts"
import { plugins } from "../../plugins/index.ts"
import { readRubricAlone } from "../io/Rubrics.ts"
import { check } from "./rubric/check.ts"
import { diff } from "./rubric/diff.ts"
import { show } from "./rubric/show.ts"
import { tryFile } from "./rubric/try.ts"

const schema = Command.make("schema", {}, () =>
  Console.log(JSON.stringify(rubricJsonSchema([...plugins.values(), ...rulesWithoutCode]), null, 2))
).pipe(
  Command.withDescription("Print the JSON Schema of rubric files, for editors"),
  Command.withExamples([
    { command: "docgauge rubric schema > rubric.schema.json", description: "Save it next to the rubric" }
  ])
)

/** `docgauge rubric resolve`: the whole that a rubric with `extends` comes to. */
const resolve = Command.make(
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

export const rubric = Command.make("rubric").pipe(
  Command.withDescription("Work with rubric files"),
  Command.withSubcommands([check, diff, resolve, schema, show, tryFile])
)
