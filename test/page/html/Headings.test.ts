import { describe, expect, it } from "vitest"
import { cutSections, readHeadings, sectionAt } from "../../../engine/page/html/Headings.ts"
import { walkedContent } from "./Walked.ts"

const headingsIn = (body: string) => {
  const { content, walk } = walkedContent(body)
  return { content, headings: readHeadings(walk, content) }
}

describe("the fragment that leads to a heading is", () => {
  it.each([
    ["its own id", "<h2 id=own>Keys</h2>", "own"],
    ["that of an anchor in it", "<h2><a name=inside></a>Keys</h2>", "inside"],
    ["that of an empty anchor before it", "<a id=before></a><h2>Keys</h2>", "before"],
    ["that of the section that it opens", "<section id=section><h2>Keys</h2></section>", "section"],
    ["that of a wrapper of the section", "<div id=outer><div><h2>Keys</h2></div></div>", "outer"],
    ["that of an anchor alone in the paragraph before it", "<p><a id=before></a></p><h2>Keys</h2>", "before"],
    ["that of the article that it opens", "<article id=article><header><h2>Keys</h2></header></article>", "article"],
    ["that of a custom element that it opens", "<doc-anchor-target id=own><h2>Keys</h2></doc-anchor-target>", "own"],
    [
      "that of the section that it opens, below a link to its group",
      '<section id=section><span><a href="#group">Orders</a></span><h2>Keys</h2></section>',
      "section"
    ],
    ["none of an anchor in a paragraph with a text", "<p><a id=before></a>Before</p><h2>Keys</h2>", null],
    ["none of a picture before it", "<p><img id=before></p><h2>Keys</h2>", null],
    ["none in a section that begins with a text", "<section id=section><p>Before</p><h2>Keys</h2></section>", null]
  ])("%s", (_, body, anchor) => {
    expect(
      headingsIn(`<main><p>${"Text. ".repeat(30)}</p>${body}</main>`).headings.map((heading) => heading.anchor)
    ).toEqual([anchor])
  })
})

describe("the headings of a page", () => {
  const BODY = "<nav><h2>Menu</h2></nav><main><h1>API</h1><p>One</p><h2></h2><h3>Errors</h3><p>Two</p></main>"

  it("are those with a text, in order, with their levels and whether they are in main content", () => {
    expect(headingsIn(BODY).headings.map(({ inMain, level, text }) => [level, text, inMain])).toEqual([
      [2, "Menu", false],
      [1, "API", true],
      [3, "Errors", true]
    ])
  })

  it("cut main content into sections, and tell the section of a place", () => {
    const { content, headings } = headingsIn(BODY)
    expect(cutSections(headings, content).map(({ heading, path, text }) => [heading, path, text])).toEqual([
      ["", [], ""],
      ["API", [], "One"],
      ["Errors", ["API"], "Two"]
    ])
    const section = sectionAt(headings)
    expect([0, ...headings.map(({ order }) => order)].map(section)).toEqual([0, 0, 1, 2])
  })
})
