import { assert, describe, expect, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { rulesWithoutCode } from "../../engine/plugin/RuleWithoutCode.ts"
import { plugins } from "../../plugins/index.ts"
import { rubricJsonSchema } from "../../engine/rubric/RubricExtension.ts"

const known = [...plugins.values(), ...rulesWithoutCode]

describe("rubric.schema.json", () => {
  it("is what the definition of a rubric gives (renew it with `npm run generated`)", async () => {
    await expect(`${JSON.stringify(rubricJsonSchema(known), null, 2)}\n`).toMatchFileSnapshot(
      "../../rubric.schema.json"
    )
  })

  it("describes every field of a rubric, a criterion and a level to editors", () => {
    const text = JSON.stringify(rubricJsonSchema(known))
    for (const name of ["Verdict", "Category", "Criterion", "Experiment", "Level", "Remedy", "Reference", "Change"]) {
      assert.include(text, `"#/$defs/${name}"`)
    }
    assert.include(text, '"additionalProperties":false')
  })

  it("takes a criterion that measures without a plugin, and none that has both", () => {
    const file = {
      extends: "docs-ai-readiness@3",
      experimental: [
        {
          id: "D8",
          category: "D",
          title: "Name the owner",
          points: 1,
          measure: { pages: { select: "meta[name=owner]", attribute: "content" } },
          levels: [{ status: "absent", earns: 0 }],
          why: "So.",
          how: "So.",
          remedy: { effort: "minutes", steps: ["Do."] },
          references: [{ title: "HTML", url: "https://html.spec.whatwg.org/" }]
        }
      ]
    }
    const [criterion] = file.experimental
    const accepts = new Ajv2020({ strict: false }).compile(rubricJsonSchema(known))
    assert.isTrue(accepts(file))
    assert.isFalse(accepts({ ...file, experimental: [{ ...criterion, plugin: "x", revision: 1, params: {} }] }))
    assert.isFalse(accepts({ ...file, experimental: [{ ...criterion, measure: { pages: { at: "/info" } } }] }))
  })
})
