import { assert, describe, it } from "@effect/vitest"
import { nearestName } from "../../../engine/rubric/source/NearestName.ts"

describe("the nearest name", () => {
  it.each([
    ["tilte", "title"],
    ["titel", "title"],
    ["Points", "points"],
    ["point", "points"],
    ["dead-links", "dead_links"],
    ["zebra", null],
    ["", null]
  ])("to %s is %s", (name, nearest) => {
    assert.strictEqual(nearestName(name, ["id", "title", "points", "dead_links"]), nearest)
  })

  it("is the first of two that are equally near", () => {
    assert.strictEqual(nearestName("B3", ["B1", "B2"]), "B1")
  })

  it("is found at once for names without end", () => {
    assert.strictEqual(nearestName("x".repeat(1_000_000), ["x".repeat(999_999)]), "x".repeat(999_999))
  })
})
