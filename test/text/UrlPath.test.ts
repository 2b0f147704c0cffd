import { describe, expect, it } from "vitest"
import {
  isMarkdownPath,
  isMarkdownType,
  isMarkdownUrl,
  withoutMarkdownEnding,
  withoutPageEnding
} from "../../engine/text/UrlPath.ts"

describe("Markdown files", () => {
  it.each(["/a.md", "/a.mdx", "/a.markdown", "/a.md.txt", "/a.html.md", "/A.MD"])("%s is one", (path) => {
    expect(isMarkdownPath(path)).toBe(true)
  })

  it.each(["/a", "/a.html", "/a.txt", "/md", "/a.md/b", "/a.mdown"])("%s is none", (path) => {
    expect(isMarkdownPath(path)).toBe(false)
  })

  it("are told by the path of a URL, not by its query", () => {
    expect(isMarkdownUrl("https://docs.example.com/a.md?raw=1")).toBe(true)
    expect(isMarkdownUrl("https://docs.example.com/a?file=b.md")).toBe(false)
    expect(isMarkdownUrl("no URL.md")).toBe(false)
  })

  it("are told by the media types of Markdown and MDX", () => {
    expect(["text/markdown", "text/x-markdown", "text/mdx", "text/plain", ""].map(isMarkdownType)).toEqual([
      true,
      true,
      true,
      false,
      false
    ])
  })

  it("have the name of their page without the ending", () => {
    expect(withoutMarkdownEnding("/guide.html.md")).toBe("/guide.html")
    expect(["/guide.html.md", "/guide.md.txt", "/guide.htm", "/guide"].map(withoutPageEnding)).toEqual([
      "/guide",
      "/guide",
      "/guide",
      "/guide"
    ])
  })
})
