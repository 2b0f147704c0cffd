import { describe, expect, it } from "vitest"
import { readTree } from "../../../engine/page/dom/DomWalk.ts"
import { MAX_DEPTH, parseWhole } from "../../../engine/page/dom/HtmlParser.ts"
import { isElement, parentOf } from "../../../engine/page/dom/HtmlTree.ts"

const textOf = (body: string): string =>
  readTree(`<!doctype html><title>Quill</title>${body}`)
    .walk.segments.map(({ text }) => text)
    .join(" | ")

const NOTE =
  "Notes are kept for thirty days after you delete them, and a note that was shared is kept until each reader has removed it."

describe("a declarative shadow root", () => {
  it("is the content of its host", () => {
    expect(textOf("<quill-page><template shadowrootmode=open><p>Shown</p></template></quill-page>")).toBe("Shown")
  })

  it("shows what the host holds in the slots of its name, and a slot's own text where there is nothing for it", () => {
    const root =
      "<h1><slot name=title>Untitled</slot></h1><main><slot></slot></main><p><slot name=none>Empty</slot></p>"
    expect(
      textOf(
        `<quill-page><template shadowrootmode=closed>${root}</template><p>Text</p><b slot=title>Notes</b></quill-page>`
      )
    ).toBe("Notes | Text | Empty")
  })

  it("hides what has no slot", () => {
    expect(textOf("<div><template shadowrootmode=open><p>Shown</p></template><p>Left over</p></div>")).toBe("Shown")
  })

  it("is none in a template of another mode or in an element that can have none", () => {
    expect(textOf("<div><template><p>A</p></template><template shadowrootmode=no><p>B</p></template>C</div>")).toBe("C")
    expect(textOf("<ul><template shadowrootmode=open><li>A</li></template><li>B</li></ul>")).toBe("B")
  })

  it("may be nested in the content and in the slots of another", () => {
    const inner = "<quill-b><template shadowrootmode=open><i><slot></slot></i></template><slot></slot></quill-b>"
    expect(textOf(`<quill-a><template shadowrootmode=open>${inner}</template>Deep</quill-a>`)).toBe("Deep")
  })

  it("is cut where the tree gets too deep by it, as the tree is said to be", () => {
    const levels = 60
    const open = `<quill-a><template shadowrootmode=open>${"<div>".repeat(levels)}<slot></slot></template>`
    const { document, isCut } = parseWhole(open.repeat(20))
    expect(isCut).toBe(true)
    let depth = 0
    for (let node = document.children.find(isElement); node !== undefined; node = node.children.findLast(isElement))
      depth++
    expect(depth).toBeLessThanOrEqual(MAX_DEPTH)
  })
})

describe("an element for readers without scripts", () => {
  it("is read where it holds content", () => {
    expect(textOf(`<div id=app></div><noscript><main><p>${NOTE}</p></main></noscript>`)).toBe(NOTE)
  })

  it.each([
    ["asks for scripts", `<p>You need to enable JavaScript to read about notes. ${NOTE}</p>`],
    ["says next to nothing", "<p>This page is built in your browser.</p>"],
    ["is a tracker's", "<img src=/pixel.gif>"]
  ])("is not where it %s", (_, html) => {
    expect(textOf(`<p>Text</p><noscript>${html}</noscript>`)).toBe("Text")
  })

  it("does not end the head, and redirects no one", () => {
    const { walk } = readTree(
      `<head><noscript><img src=x></noscript><link rel=canonical href=/a></head><noscript><meta http-equiv=refresh content="0;url=/b">${NOTE}</noscript>`
    )
    const parents = (walk.byName.get("link") ?? []).map((link) => parentOf(link)?.name)
    expect([parents, walk.byName.has("meta")]).toEqual([["head"], false])
  })
})

it("shows a text that is hidden until a search finds it", () => {
  expect(textOf("<div hidden=until-found>Found</div><div hidden>Lost</div>")).toBe("Found")
})
