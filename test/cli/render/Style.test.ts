import { describe, expect, it } from "vitest"
import { canColour } from "../../../cli/render/Style.ts"

describe("colours", () => {
  it.each([
    ["on a terminal", {}, true, true],
    ["not in a file or pipe", {}, false, false],
    ["with FORCE_COLOR, in a pipe too", { FORCE_COLOR: "1" }, false, true],
    ["with FORCE_COLOR=0 as without it", { FORCE_COLOR: "0" }, false, false],
    ["not with NO_COLOR, not even with FORCE_COLOR", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    ["not on a terminal that has none", { TERM: "dumb" }, true, false],
    ["with an empty NO_COLOR as without it", { NO_COLOR: "" }, true, true]
  ])("are printed %s", (_, env, isTerminal, expected) => {
    expect(canColour(env, isTerminal)).toBe(expected)
  })
})
