import * as Console from "effect/Console"
import { Command } from "effect/cli"
import { rulesWithoutCode } from "../../../engine/criterion/RuleWithoutCode.ts"
import { plugins } from "../../../plugins/index.ts"
import { rubricJsonSchema } from "../../../engine/rubric/RubricExtension.ts"

/** `docgauge rubric schema`: the JSON Schema of rubric files. */
export const schema = Command.make("schema", {}, () =>
  Console.log(JSON.stringify(rubricJsonSchema([...plugins.values(), ...rulesWithoutCode]), null, 2))
).pipe(
  Command.withDescription("Print the JSON Schema of rubric files, for editors"),
  Command.withExamples([
    { command: "docgauge rubric schema > rubric.schema.json", description: "Save it next to the rubric" }
  ])
)
