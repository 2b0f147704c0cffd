import { describe, expect, it } from "vitest"
import { anchorsIn, type Inline, markdownTokens, readInline } from "../../../engine/page/markdown/MarkdownInline.ts"

const inline = (markdown: string): Inline => {
  const token = markdownTokens(markdown).find(({ type }) => type === "inline")
  if (token === undefined) throw new Error("no running text")
  return readInline(token)
}

describe("a run of Markdown text", () => {
  it("is read as it is shown: marks and tags left out, images by their alternative text, white space collapsed", () => {
    expect(inline("A **bold** `code`\n<b>tag</b>, ![picture](a.png)<br>end").text).toBe("A bold code tag, picture end")
  })

  it("gives each link with what comes before and after it", () => {
    expect(inline("see [the *guide*](/guide): how to start").links).toEqual([
      { href: "/guide", text: "the guide", before: "see", after: ": how to start", html: false }
    ])
  })

  it("reads an HTML anchor as a link, which ends with the run if nothing closes it", () => {
    expect(
      inline(`x <a href="/one">one</a> <a href='/two'>two`).links.map(({ href, html, text }) => [href, html, text])
    ).toEqual([
      ["/one", true, "one"],
      ["/two", true, "two"]
    ])
  })
})

describe("anchors in HTML", () => {
  it("are found in order, however they are quoted, and only with a target", () => {
    expect(anchorsIn(`<a class=x HREF = "/one">1</a><a href='/two'>2</a><a name=x>3</a><area href="/no">`)).toEqual([
      "/one",
      "/two"
    ])
  })
})
