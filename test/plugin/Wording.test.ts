import * as fc from "fast-check"
import { expect, test } from "vitest"
import {
  capitalised,
  counted,
  enumerated,
  grouped,
  itemised,
  pathShown,
  percent,
  signed,
  someOf
} from "../../engine/plugin/Wording.ts"

test("a noun agrees with its count", () => {
  expect([0, 1, 2, 12_345].map((count) => counted(count, "page"))).toEqual([
    "no pages",
    "1 page",
    "2 pages",
    "12,345 pages"
  ])
  expect(counted(2, "entry", "entries")).toBe("2 entries")
  expect(grouped(1_234_567)).toBe("1,234,567")
  expect([signed(1_234), signed(0), signed(-3)]).toEqual(["+1,234", "0", "−3"])
})

test("a verb agrees with the part it is said of", () => {
  const said = ([part, whole]: readonly [number, number]) => someOf(part, whole, ["page", "pages"], ["has", "have"])
  expect(
    (
      [
        [0, 5],
        [1, 5],
        [4, 5],
        [5, 5],
        [0, 1],
        [1, 1]
      ] as const
    ).map(said)
  ).toEqual(["No page has", "1 of 5 pages has", "4 of 5 pages have", "All 5 pages have", "No page has", "The page has"])
})

test("a share is 0% or 100% only where it is none or all", () => {
  expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(["0%", "1%", "50%", "99%", "100%"])
  fc.assert(
    fc.property(
      fc.double({ min: 0.0001, max: 0.9999, noNaN: true }),
      (share) => !["0%", "100%"].includes(percent(share))
    )
  )
})

test('a list ends with "and"', () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(enumerated)).toEqual(["", "a", "a and b", "a, b and c"])
  expect([["a or b"], ["a", "b", "c"], ["a or b", "c"], ["a", "b, c"]].map(itemised)).toEqual([
    "a or b",
    "a, b and c",
    "a or b; c",
    "a; b, c"
  ])
  expect(capitalised("the page")).toBe("The page")
})

test("a URL is shown by its path, cut to 80 characters", () => {
  expect(pathShown("https://docs.example.com/guide/start?x=1")).toBe("/guide/start?x=1")
  expect(pathShown(`https://docs.example.com/${"a".repeat(500)}`)).toHaveLength(80)
})
