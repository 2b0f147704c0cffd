import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { plugins } from "../../../plugins/index.ts"
import { LEVELS, levelClass, NO_LEVEL } from "../../../engine/report/html/LevelColour.ts"
import { assetText } from "../../../server/pages/kit/Assets.ts"

/** The relative luminance of a colour, as in WCAG 2.2. */
const luminanceOf = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, two: string): number => {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(two)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe("the bars of how many sites meet a criterion", () => {
  it("show sites that meet it partly as stripes, which differ from the rest in both themes without their hue", () => {
    const [base, browse] = [assetText("base.css"), assetText("browse.css")]
    const coloursOf = (name: string) =>
      new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(base)?.slice(1) ?? []
    expect(browse).toMatch(/\.plot-partial \{[^}]*stroke: var\(--partial\);[^}]*stroke-dasharray/)
    expect(browse).toMatch(
      /\.key-partial \{ background: repeating-linear-gradient\([^}]*var\(--line\)[^}]*var\(--partial\)/
    )
    const [present, partial, track] = [coloursOf("present"), coloursOf("partial"), coloursOf("line")]
    const contrasts = [0, 1].flatMap((theme) =>
      [present, partial].map((colours) => contrast(colours[theme] ?? "", track[theme] ?? ""))
    )
    expect(Math.min(...contrasts)).toBeGreaterThan(3)
  })
})

describe("the palette of levels", () => {
  it("is the same on pages as on badges and images", () => {
    const onPages = [
      ...assetText("base.css").matchAll(/--(level-\w+): light-dark\((#[0-9a-f]{6}), #[0-9a-f]{6}\)/g)
    ].map(([, name, colour]) => ({ name, colour }))
    expect(onPages).toEqual([...LEVELS, NO_LEVEL].map(({ colour, name }) => ({ name, colour })))
  })

  it("has the levels of the released rubric", async () => {
    const file = new URL("../../../rubric.yaml", import.meta.url).pathname
    const { rubric } = await Effect.runPromise(loadRubric(readFileSync(file), file, plugins))
    expect(rubric.verdicts.map(({ from }) => from / 100)).toEqual(LEVELS.map(({ from }) => from))
  })

  it("has a colour of its own for a score that is not reliable", () => {
    expect([levelClass(95, 100, true), levelClass(95, 100, false), levelClass(0, 100, true)]).toEqual([
      "level-5",
      "level-none",
      "level-1"
    ])
  })
})
