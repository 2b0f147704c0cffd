import { describe, expect, it } from "vitest"
import { clippedProse } from "../../engine/text/MarkupText.ts"

describe("prose that is cut short", () => {
  it("ends after a word, without the comma or full stop behind it", () => {
    expect(clippedProse("There is none at /a.json, /b.json, /c.json or /d.json.", 36)).toBe(
      "There is none at /a.json, /b.json…"
    )
    expect(clippedProse("Nothing runs. Show a call that works.", 15)).toBe("Nothing runs…")
  })

  it("stays as it is if it fits", () => {
    expect(clippedProse("Nothing runs.", 13)).toBe("Nothing runs.")
  })

  it("is cut inside a word that is too long by itself", () => {
    expect(clippedProse("a".repeat(20), 10)).toBe(`${"a".repeat(9)}…`)
  })
})
