import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hasDuplicateNames } from "../../engine/text/JsonText.ts"

describe("two members of one name", () => {
  it.each([
    ["beside one another", '{"a":1,"a":2}'],
    ["apart", '{"a":1,"b":{"c":[]},"a":2}'],
    ["deep inside", '[{"b":[{"x":{"a":1,"a":1}}]}]'],
    ["in another spelling", '{"a":1,"\\u0061":2}'],
    ["before white space", '{"a" :1,"a"\n\t:2}'],
    ["with quotes in it", '{"a\\"b":1,"a\\"b":2}'],
    ["empty", '{"":1,"":2}']
  ])("are found %s", (_, text) => {
    expect(hasDuplicateNames(text)).toBe(true)
  })

  it.each([
    ["of different objects", '[{"a":1},{"a":{"a":2}},{"b":{"a":1},"a":2}]'],
    ["that are values", '{"a":"b","b":"a","c":["a","a"]}'],
    ["inside of texts", '{"a":"{\\"a\\":1,\\"a\\":2}"}'],
    ["that differ in case", '{"a":1,"A":2}'],
    ["of no object", '"a"']
  ])("are not seen in names %s", (_, text) => {
    expect(hasDuplicateNames(text)).toBe(false)
  })

  it("are never seen in what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 2 }), (value, indent) => {
        expect(hasDuplicateNames(JSON.stringify(value, null, indent))).toBe(false)
      })
    )
  })

  it("are looked for in time that grows with the text, however deep it is", () => {
    expect(hasDuplicateNames(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`)).toBe(false)
  })
})
