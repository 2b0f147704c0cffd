import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { fold, parity } from "../../../engine/page/markdown/TextParity.ts"
import { cpuMs } from "../../harness/CpuTime.ts"

const word = fc.stringMatching(/^[a-zA-Zäéßøñ0-9]{3,10}$/)
const sentence = fc.array(word, { minLength: 8, maxLength: 30 })

/** Ways in which Markdown writes the words of a page. */
const decorated = (words: ReadonlyArray<string>): ReadonlyArray<string> => [
  words.join(" "),
  words.join("\n> "),
  `- **${words.join("** *")}*`,
  words.map((one) => `\`${one}\``).join(", "),
  words.join(" ").toUpperCase(),
  words.join("&nbsp;"),
  `| ${words.join(" | ")} |`
]

describe("fold", () => {
  test("folding twice is folding once", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => fold(fold(text)) === fold(text)))
  })

  test("a mark that comes to stand beside a letter belongs to it", () => {
    expect(fold(fold("ᾀ᾿"))).toBe(fold("ᾀ᾿"))
  })

  test("case, white space, punctuation, Markdown marks and character references make no difference", () => {
    expect(fold("The *Quick*\n  `brown` &amp; __lazy__ — fox’s")).toBe(fold("the quick brown lazy: foxs"))
    expect(fold("caf&#233; &#x41;")).toBe(fold("café a"))
    expect(fold("ﬁne Ｆｕｌｌ")).toBe(fold("fine full"))
  })

  test("references to no character are dropped", () => {
    expect(fold("a&#9999999;b&#xD800;c")).toBe("ABC")
  })
})

describe("parity", () => {
  test("a text is in every Markdown that is made of it", () => {
    fc.assert(
      fc.property(sentence, (words) =>
        decorated(words).every((markdown) => parity([words.join(" ")], ["# Title", markdown], 20).missing.length === 0)
      )
    )
  })

  test("the order of the Markdown's blocks makes no difference", () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 6 }), (paragraphs) => {
        const segments = paragraphs.map((words) => words.join(" "))
        return parity(segments, segments.toReversed(), 20).missing.length === 0
      })
    )
  })

  test("a text that is not there at all is missing", () => {
    const segments = ["Requests are signed with the account's secret key.", "Every answer carries a request number."]
    expect(parity(segments, ["# Guide", "Every answer carries a request number."], 20)).toEqual({
      segments: 2,
      missing: ["Requests are signed with the account's secret key."]
    })
  })

  test("half a paragraph is not enough, a stray label in it is", () => {
    const paragraph =
      "Pages are read in order, and each holds the address of the next one, until a page without such an address."
    expect(parity([paragraph], [paragraph.slice(0, 55)], 20).missing).toHaveLength(1)
    expect(parity([paragraph], [paragraph.replace(", until", " [3], until")], 20).missing).toEqual([])
  })

  test("segments shorter than asked for, and those without words, are not looked for", () => {
    expect(parity(["On this page", "---------- + ----------"], [""], 20).segments).toBe(0)
  })

  test("what a page says twice is looked for once", () => {
    const twice = [
      "Boxes are counted at each gate.",
      "Nothing else is there to say.",
      "Boxes are counted, at each gate"
    ]
    expect(parity(twice, ["Nothing else is there to say."], 20)).toMatchObject({ segments: 2, missing: [twice[2]] })
  })

  test("scripts without spaces are compared too", () => {
    const text = "この関数は指定されたアドレスから文書を読み込んで返します。失敗した場合は例外を投げます。"
    expect(parity([text], [text.replace("。", "。\n")], 20)).toEqual({ segments: 1, missing: [] })
    expect(parity([text], ["別の文書です。"], 20).missing).toHaveLength(1)
  })

  test("a hostile text is compared in linear time", () => {
    const segments = Array.from({ length: 5_000 }, (_, index) => `${"a".repeat(200)}${index}`)
    const started = cpuMs()
    parity(segments, ["a".repeat(500_000)], 20)
    expect(cpuMs() - started).toBeLessThan(5_000)
  })
})
