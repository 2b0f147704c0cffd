import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { plugins } from "../../../plugins/index.ts"
import { LEVELS, levelClass, NO_LEVEL } from "../../../server/images/LevelColour.ts"
import { assetText } from "../../../server/pages/kit/Assets.ts"

describe("the palette of levels", () => {
  it("is the same on pages as on badges and images", () => {
    const onPages = [...assetText("base.css").matchAll(/--(level-\w+): light-dark\((#[0-9a-f]{6}), #[0-9a-f]{6}\)/g)].map(([, name, colour]) => ({ name, colour }))
    expect(onPages).toEqual([...LEVELS, NO_LEVEL].map(({ colour, name }) => ({ name, colour })))
  })

  it("has the levels of the released rubric", async () => {
    const file = new URL("../../../rubric.yaml", import.meta.url).pathname
    const { rubric } = await Effect.runPromise(loadRubric(readFileSync(file), file, plugins))
    expect(rubric.verdicts.map(({ from }) => from / 100)).toEqual(LEVELS.map(({ from }) => from))
  })

  it("has a colour of its own for a score that is not reliable", () => {
    expect([levelClass(95, 100, true), levelClass(95, 100, false), levelClass(0, 100, true)]).toEqual(["level-5", "level-none", "level-1"])
  })
})
