import { describe, expect, it } from "vitest"
import { countOverlong, isHashRouted, labelledLinks, readLinks } from "../../../engine/page/html/PageLinks.ts"
import { ORIGIN } from "../../site/FakeContext.ts"
import { walked, walkedContent } from "./Walked.ts"

const BASE = `${ORIGIN}/docs/page`

describe("links", () => {
  it.each([
    ["a relative URL", "<main><a href=b>B</a></main>", [`${ORIGIN}/docs/b`, "", "B", "main"]],
    ["a fragment, which is no part of the URL", "<nav><a href=/a#top>A</a></nav>", [`${ORIGIN}/a`, "top", "A", "nav"]],
    ["the text of an image", "<main><a href=/c><img alt=Sea></a></main>", [`${ORIGIN}/c`, "", "Sea", "main"]],
    ["beside main content", "<main>Text</main><p><a href=/d>D</a></p>", [`${ORIGIN}/d`, "", "D", "other"]]
  ])("are read with %s", (_, body, expected) => {
    const { content, walk } = walkedContent(body)
    expect(
      readLinks(walk, BASE, content).map(({ fragment, place, text, url }) => [url, fragment, text, place])
    ).toEqual([expected])
  })

  it("are only those with a web address that is not too long", () => {
    const body = `<main><a href="mailto:x@y.z">Mail</a><a>Nothing</a><a href="/${"x".repeat(5_000)}">Long</a></main>`
    const { content, walk } = walkedContent(body)
    expect([readLinks(walk, BASE, content), countOverlong(walk)]).toEqual([[], 1])
  })

  it("have labels, hidden ones of menus too, but not those within the page", () => {
    expect(labelledLinks(walked("<div hidden><a href=/raw.md>Markdown</a></div><a href=#top>Top</a>"), BASE)).toEqual([
      { url: `${ORIGIN}/raw.md`, label: "Markdown" }
    ])
  })
})

describe("pages that fragments tell apart", () => {
  it.each([
    ["by three links to routes", "<a href=#/a>A</a><a href=#/b>B</a><a href=#!/c>C</a>", 1_000, true],
    ["by one link to a route on a page with little text", "<a href=#/a>A</a>", 100, true],
    ["by docsify's settings", "<script>window.$docsify = { name: 'x' }</script>", 1_000, true],
    [
      "not with docsify's history mode",
      "<script>window.$docsify = {\n  routerMode: 'history' }</script>",
      1_000,
      false
    ],
    ["not by fragments of one page", "<a href=#a>A</a><a href=#b>B</a><a href=#c>C</a>", 100, false],
    ["not by another host's routes", "<a href=https://other.example/#/a>A</a>", 100, false]
  ])("are told %s", (_, body, characters, isRouted) => {
    expect(isHashRouted(walked(body), BASE, characters)).toBe(isRouted)
  })
})
