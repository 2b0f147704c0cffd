import { describe, expect, it } from "vitest"
import { readTree } from "../../../engine/page/dom/DomWalk.ts"
import { chooseContent, mainContent } from "../../../engine/page/html/MainContentReader.ts"
import { countOverlong, isFrameMenu, isHashRouted, readLinks } from "../../../engine/page/html/PageLinks.ts"
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

  it.each([
    ["the style of the menu", "<ul style='display:none'>LINK</ul>"],
    ["an attribute", "<ul hidden>LINK</ul>"],
    ["the word that they are decoration", "<ul aria-hidden=true>LINK</ul>"],
    ["an element for readers without frames", "<noframes>LINK</noframes>"],
    ["a notice about scripts", "<noscript>Enable JavaScript, or see LINK</noscript>"]
  ])("count as links that are not seen, and as navigation, if they are hidden by %s", (_, body) => {
    const { content, walk } = walkedContent(`<main>${body.replace("LINK", "<a href=/errors>Errors</a>")}</main>`)
    expect(readLinks(walk, BASE, content)).toEqual([
      { url: `${ORIGIN}/errors`, fragment: "", text: "Errors", rel: [], place: "nav", seen: false }
    ])
  })

  it("are none where no reader sees them and they are not to be followed", () => {
    const trap = "<div style='display:none'><a href=/trap rel='nofollow'>Changelog</a></div>"
    const { content, walk } = walkedContent(`<main>${trap}<a href=/seen rel=nofollow>Seen</a></main>`)
    expect(readLinks(walk, BASE, content).map(({ url }) => url)).toEqual([`${ORIGIN}/seen`])
  })

  it("are none in templates that no host shows, and none from a heading to itself", () => {
    const body = "<template><a href=/a>A</a></template><h2 id=b>B<a class=headerlink href=#b>#</a></h2>"
    const { content, walk } = walkedContent(body)
    expect(readLinks(walk, BASE, content)).toEqual([])
  })

  it.each([
    ["the frames of a frameset", "<frameset><frame src=menu.html><frame src=start.html></frameset>", ["menu", "start"]],
    ["a frame on a page without text of its own", "<iframe src=start.html></iframe>", ["start"]],
    [
      "a frame that is hidden until it is loaded",
      "<iframe src=ui.html style='display:none;' onload=\"this.style.display = 'block'\"></iframe>",
      ["ui"]
    ],
    ["no frame without a size", "<iframe src=t.html width=0 height=0></iframe><iframe src=u.html hidden></iframe>", []],
    ["no example on a page with text", `<p>${"A text of its own. ".repeat(30)}</p><iframe src=demo.html></iframe>`, []],
    [
      "an API reference in a frame on a page with text",
      `<p>${"A text of its own. ".repeat(30)}</p><iframe src=rest-api/orders.html></iframe><iframe src=swagger-ui/x.html></iframe>`,
      ["rest-api/orders", "swagger-ui/x"]
    ]
  ])("lead to %s", (_, html, pages) => {
    const { walk } = readTree(`<!doctype html><head><title>Quill</title></head>${html}`)
    expect(readLinks(walk, BASE, chooseContent(walk)).map(({ url }) => url)).toEqual(
      pages.map((page) => `${ORIGIN}/docs/${page}.html`)
    )
  })
})

describe("the menu of a frameset", () => {
  it.each([
    ["each link names another frame", "<ul><li><a href=a target=main>A</a><li><a href=b target=main>B</a></ul>", true],
    ["the page names the frame for all links", "<base target=main><a href=a>A</a>", true],
    ["a link opens in place of all frames", "<a href=a target=main>A</a><a href=b target=_top>B</a>", false],
    ["the only link opens a new tab, by a slip of the pen", "<a href=a target=blank>A</a>", false],
    ["there is text beside the links", `<p>${"A text. ".repeat(20)}</p><a href=a target=main>A</a>`, false],
    ["there is no link", "<p>Nothing</p>", false]
  ])("is told where %s", (_, body, isMenu) => {
    const { content, walk } = walkedContent(body)
    expect(isFrameMenu(walk, mainContent(content, walk.visibleCharacters).characters)).toBe(isMenu)
  })
})

describe("pages that fragments tell apart", () => {
  it.each([
    ["not by buttons, whose links lead nowhere", "<a href=#!>A</a><a href=#!>B</a><a href=#!>C</a>", 100, false],
    ["not by one route in a menu of three", "<a href=#/a>A</a><a href=#/a>A</a><a href=#/a>A</a>", 1_000, false],
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
