import { describe, expect, it } from "vitest"
import { languageIn, languageOf } from "../../../engine/site/address/PageUrl.ts"

describe("the language of a URL", () => {
  it.each([
    ["de", "de"],
    ["pt-BR", "pt"],
    ["zh_Hans", "zh"],
    ["JP", "ja"],
    ["kr", "ko"],
    ["cn", "zh"],
    ["tw", "zh"]
  ])("is told by the segment %s", (segment, language) => {
    expect(languageOf(segment)).toBe(language)
  })

  it.each(["ts", "os", "docs", "en-", "english", "e", ""])("is not told by the segment %j", (segment) => {
    expect(languageOf(segment)).toBeNull()
  })

  it("is looked for in the first two segments of a path", () => {
    expect([languageIn("/docs/fr/guide"), languageIn("//en/"), languageIn("/docs/guide/fr"), languageIn("/")]).toEqual([
      "fr",
      "en",
      null,
      null
    ])
  })
})
