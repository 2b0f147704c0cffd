import { describe, expect, it } from "vitest"
import { jsonText, readArguments, readValue, type ScriptValue } from "../../../engine/page/script/ScriptValue.ts"

/** The value as JSON has it. */
const plainly = (value: ScriptValue): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (value._tag === "Expression") return `<${value.source}>`
  return value._tag === "List"
    ? value.items.map(plainly)
    : Object.fromEntries([...value.members].map(([key, member]) => [key, plainly(member)]))
}

describe("a value written in a script", () => {
  it.each<[string, string, unknown]>([
    ["JSON", '{"a":[1,-2.5,true,null,"x"]}', { a: [1, -2.5, true, null, "x"] }],
    [
      "bare keys, single quotes and final commas",
      "{ a: 'x', 'b-c': [1, 2,], $d_1: {}, }",
      { a: "x", "b-c": [1, 2], $d_1: {} }
    ],
    ["comments", "{ // one: 1,\n a: /* 'x' */ 2 }", { a: 2 }],
    ["escapes", String.raw`'\u0041\x42\u{1F600}\n\'"\/'`, "AB😀\n'\"/"],
    ["minified booleans", "{a:!0,b:!1,c:void 0}", { a: true, b: false, c: null }],
    ["a template without holes", "`a\nb`", "a\nb"],
    [
      "names and calls as expressions",
      "{ url: base, f: go('}', [1]), g }",
      { url: "<base>", f: "<go('}', [1])>", g: "<g>" }
    ],
    [
      "sums as expressions, whatever they begin with",
      "{ url: '/a' + b, n: 1 + 2 }",
      { url: "<'/a' + b>", n: "<1 + 2>" }
    ],
    ["a template with holes as an expression", "{ a: `${b}/c`, d: 1 }", { a: "<`${b}/c`>", d: 1 }],
    [
      "objects beside methods, functions and spreads",
      "{ ...x, a() { return {b: 1} }, onLoad: () => { f({c: 2}) }, d: 3 }",
      {
        onLoad: "<() => { f({c: 2}) }>",
        d: 3
      }
    ],
    ["stray brackets as nothing", "{ a: 1 ) ], b: 2 }", { a: 1, b: 2 }]
  ])("is read with %s", (_, code, value) => {
    expect(plainly(readValue(code, 0))).toEqual(value)
  })

  it("is an expression if it has no end, or is nested deeper than anybody writes", () => {
    expect(readValue('{"a": {"b": 1}', 0)).toMatchObject({ _tag: "Expression" })
    expect(JSON.stringify(plainly(readValue("[".repeat(100_000), 0)))).toContain("<")
    const deep = `${'{"a":'.repeat(1_000)}1${"}".repeat(1_000)}`
    expect(readValue(deep, 0)).toMatchObject({ _tag: "Object" })
  })

  it("gives an object as its JSON text: as written if it is JSON, else without what the script works out", () => {
    const json = '{ "a" : 1, "a" : 2 }'
    const written = readValue(json, 0)
    const literal = readValue("{ a: 'x', b: go(), c: [d, 1] }", 0)
    if (!isObject(written) || !isObject(literal)) throw new Error("no objects")
    expect(jsonText(written)).toBe(json)
    expect(jsonText(literal)).toBe('{"a":"x","c":[null,1]}')
  })

  it("is found among the arguments of a call", () => {
    expect(readArguments("f('#app', { a: 1 }, x)", 1).map(plainly)).toEqual(["#app", { a: 1 }, "<x>"])
  })
})

const isObject = (value: ScriptValue): value is Extract<ScriptValue, { _tag: "Object" }> =>
  typeof value === "object" && value !== null && value._tag === "Object"
