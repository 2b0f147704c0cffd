import * as fc from "fast-check"
import { expect, test } from "vitest"
import { evenStride } from "../../../engine/site/base/EvenStride.ts"

test("picks the given number, each once, in order, beginning with the first", () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(50), (length, size) => {
      const items = Array.from({ length }, (_, index) => index)
      const picks = evenStride(items, size)
      expect(picks).toHaveLength(Math.min(length, size))
      expect(picks).toEqual([...new Set(picks)].sort((one, other) => one - other))
      expect(picks[0]).toBe(picks.length === 0 ? undefined : 0)
    })
  )
})

test("gaps between picks differ by one at most", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 500 }), fc.integer({ min: 2, max: 50 }), (length, size) => {
      const picks = evenStride(
        Array.from({ length }, (_, index) => index),
        size
      )
      const gaps = picks.slice(1).map((pick, index) => pick - (picks[index] ?? 0))
      expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1)
    })
  )
})

test("the last pick is within one stride of the end", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 50 }), (length, size) => {
      const last =
        evenStride(
          Array.from({ length }, (_, index) => index),
          size
        ).at(-1) ?? -1
      expect(length - last).toBeLessThanOrEqual(Math.ceil(length / size))
    })
  )
})
