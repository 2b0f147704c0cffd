import { assert, describe, expect, it } from "@effect/vitest"
import { plugins } from "../../plugins/index.ts"
import { rulesWithoutCode } from "../../engine/criterion/RuleWithoutCode.ts"
import { rubricJsonSchema } from "../../engine/rubric/RubricExtension.ts"

describe("rubric.schema.json", () => {
  it("is what the definition of a rubric gives (renew it with `npm run generated`)", async () => {
    await expect(
      `${JSON.stringify(rubricJsonSchema([...plugins.values(), ...rulesWithoutCode]), null, 2)}\n`
    ).toMatchFileSnapshot("../../rubric.schema.json")
  })

  it("describes every field of a rubric, a criterion and a level to editors", () => {
    const text = JSON.stringify(rubricJsonSchema([...plugins.values(), ...rulesWithoutCode]))
    for (const name of ["Verdict", "Category", "Criterion", "Experiment", "Level", "Remedy", "Reference", "Change"]) {
      assert.include(text, `"#/$defs/${name}"`)
    }
    assert.include(text, '"additionalProperties":false')
  })
})
