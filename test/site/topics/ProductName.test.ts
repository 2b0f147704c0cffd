import { describe, expect, it } from "vitest"
import { placeAt } from "../../../engine/site/base/Base.ts"
import type { LlmsTxt } from "../../../engine/site/wellknown/LlmsTxt.ts"
import { parseLlmsTxt } from "../../../engine/page/markdown/LlmsDocument.ts"
import { isNamedAfter, namesProduct, productNames } from "../../../engine/site/topics/ProductName.ts"
import { pageAt } from "../BlankPage.ts"
import { answerOf } from "../FakeContext.ts"

const llmsTxt = (text: string): Pick<LlmsTxt, "file"> => {
  const url = "https://docs.example.com/llms.txt"
  return { file: { url, answer: answerOf(url, text), document: parseLlmsTxt(text), links: [], textFiles: new Set() } }
}

const names = (
  url: string,
  {
    llms = "",
    title = "",
    titles = []
  }: { readonly title?: string; readonly titles?: ReadonlyArray<string>; readonly llms?: string } = {}
) =>
  [
    ...productNames(
      { ...placeAt(url, url), page: pageAt("/", { title }) },
      titles.map((each) => pageAt("/", { title: each })),
      llmsTxt(llms)
    )
  ].sort()

describe("the names of a product", () => {
  it("are labels of the host and folders of the address, without what any site has", () => {
    expect(names("https://docs.acme.dev/en/latest/rocket/")).toEqual(["acme", "rocket"])
    expect(names("https://acme.github.io/python-sdk/")).toEqual(["acme"])
  })

  it("are in what most titles share, in the first page's title, and in the first H1 of llms.txt", () => {
    expect(
      names("https://docs.example.com/", { titles: ["Keys | Rocket", "Errors | Rocket", "Start | Rocket", "News"] })
    ).toEqual(["rocket"])
    expect(names("https://docs.example.com/", { title: "Rocket - Introduction" })).toEqual(["rocket"])
    expect(names("https://docs.example.com/", { llms: "# Rocket\n\n# Articles about space\n" })).toEqual(["rocket"])
  })

  it("may be a language's, where the address and the title of the first page say so", () => {
    const title = "Acme Docs: Welcome to Swift’s documentation!"
    expect(names("https://docs.acme.dev/swift/latest", { title })).toContain("swift")
    expect(names("https://docs.acme.dev/swift/latest", { title: "Swift SDK" })).not.toContain("swift")
    expect(names("https://docs.acme.dev/store/latest", { title })).not.toContain("swift")
  })

  it("are no sentences", () => {
    expect(names("https://docs.example.com/", { title: "Chat with large language models quickly" })).toEqual([])
  })

  it("are those of technologies only where there is no other", () => {
    expect(names("https://docs.example.com/", { title: "MCP Python SDK" })).toEqual(["mcp"])
    expect(names("https://docs.example.com/", { title: "Rocket MCP Server" })).toEqual(["rocket"])
  })
})

describe("what is named after a product", () => {
  const rocket = new Set(["rocket", "typeform"])

  it.each([
    "rocket",
    "@rocket/sdk",
    "rocket-cli",
    "rocketctl",
    "python-rocket",
    "https://get.rocket.dev/install.sh",
    "org.example:myrocketlib"
  ])("%s is", (text) => {
    expect(isNamedAfter(rocket, text)).toBe(true)
  })

  it.each(["express", "rock", "type", "http", ""])("%s is not", (text) => {
    expect(isNamedAfter(rocket, text)).toBe(false)
  })

  it("may be called by a short form where it is a program", () => {
    expect(namesProduct(new Set(["kinocut"]), "kino")).toBe(true)
    expect(namesProduct(new Set(["httpx"]), "http")).toBe(false)
    expect(namesProduct(new Set(["kinocut"]), "kin")).toBe(false)
  })
})
