import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { rubricWordsFor } from "../../engine/report/ReportView.ts"
import { someCriterion, someReport } from "../audit/SomeReport.ts"

const { rubric } = await Effect.runPromise(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

const measuredBy = (plugin: string) => ({ plugin, revision: 1, params: {}, facts: {} })

it("tells why a criterion of an older report matters, whatever its title was then, if the same plugin measured it", () => {
  const report = someReport({
    criteria: [
      someCriterion({ id: "A1", title: "The llms.txt follows the standard", measured: measuredBy("a1-llms-txt") }),
      someCriterion({ id: "A2", measured: measuredBy("of-another-house") })
    ]
  })
  expect([...rubricWordsFor(rubric, report).why.keys()]).toEqual(["A1"])
})
