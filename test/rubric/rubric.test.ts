import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"

const bytes = readFileSync(new URL("../../rubric.yaml", import.meta.url))
const load = loadRubric(bytes, "rubric.yaml", plugins)

describe("rubric.yaml", () => {
  it.effect("loads without a problem, against all plugins", () =>
    Effect.gen(function* () {
      const { criteria, experimental, rubric } = yield* load
      assert.strictEqual(rubric.id, "docs-ai-readiness")
      assert.deepStrictEqual(
        [...criteria, ...experimental].map(({ definition }) => definition.plugin),
        [...plugins.keys()]
      )
    })
  )

  it.effect("has thirty criteria in six categories, and the points that are promised to callers", () =>
    Effect.gen(function* () {
      const { criteria, rubric } = yield* load
      assert.deepStrictEqual(
        rubric.categories.map(({ criteria, key, points }) => [key, criteria.length, points]),
        [
          ["A_discovery", 5, 10],
          ["B_page_artifacts", 5, 26],
          ["C_api_spec", 5, 23],
          ["D_content", 7, 23],
          ["E_hygiene", 4, 14],
          ["F_agent_surface", 4, 4]
        ]
      )
      assert.strictEqual(
        criteria.reduce((sum, { definition }) => sum + definition.points, 0),
        100
      )
    })
  )

  it.effect("gives nothing to a site of which nothing is there", () =>
    Effect.gen(function* () {
      const { criteria } = yield* load
      for (const { definition, levels } of criteria) {
        const fields = plugins.get(definition.plugin)?.facts ?? {}
        const nothing = Object.fromEntries(Object.entries(fields).map(([name, fact]) => [name, emptyOf(fact)]))
        // What E2 counts are faults: a site without any earns its points.
        if (definition.id === "E2") continue
        const level = levels.find(({ condition }) => condition === null || condition.holds(nothing))
        assert.strictEqual(level?.earns, 0, definition.id)
      }
    })
  )

  it.effect("says each thing once", () =>
    Effect.gen(function* () {
      const { criteria } = yield* load
      const texts = criteria.flatMap(({ definition }) => [
        definition.title,
        definition.why,
        definition.how,
        ...definition.remedy.steps
      ])
      assert.deepStrictEqual(
        texts.filter((text, index) => texts.indexOf(text) !== index),
        []
      )
    })
  )
})

const emptyOf = (fact: { readonly kind: string; readonly words?: ReadonlyArray<string> }) => {
  if (fact.kind === "flag") return false
  return fact.words?.[0] ?? 0
}
