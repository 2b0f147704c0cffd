import * as fc from "fast-check"
import { expect, test } from "vitest"
import { counted, grouped, pathShown, percent } from "../../engine/criterion/Wording.ts"

test("numbers are counted in words that fit them", () => {
  expect([0, 1, 2, 12_345].map((count) => counted(count, "page"))).toEqual(["no page", "1 page", "2 pages", "12 345 pages"])
  expect(counted(2, "entry", "entries")).toBe("2 entries")
  expect(grouped(1_234_567)).toBe("1 234 567")
})

test("a share is 0 % or 100 % only where it is none or all", () => {
  expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(["0 %", "1 %", "50 %", "99 %", "100 %"])
  fc.assert(fc.property(fc.double({ min: 0.0001, max: 0.9999, noNaN: true }), (share) => !["0 %", "100 %"].includes(percent(share))))
})

test("an address is shown by its path, however long it is", () => {
  expect(pathShown("https://docs.example.com/guide/start?x=1")).toBe("/guide/start?x=1")
  expect(pathShown(`https://docs.example.com/${"a".repeat(500)}`)).toHaveLength(80)
})
