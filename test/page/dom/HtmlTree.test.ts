import { describe, expect, it } from "vitest"
import { MAX_DEPTH, parseHtml } from "../../../engine/page/dom/HtmlParser.ts"
import {
  attribute,
  childrenOf,
  classesOf,
  contentOf,
  type Element,
  findBelow,
  isElement,
  neighbour,
  parentOf
} from "../../../engine/page/dom/HtmlTree.ts"

const bodyOf = (html: string): Element => {
  const root = parseHtml(html).children.find(isElement)
  const body = root === undefined ? null : findBelow(root, ({ name }) => name === "body")
  if (body === null) throw new Error("the page has no body")
  return body
}

const first = (html: string, name: string): Element => {
  const element = findBelow(bodyOf(html), (candidate) => candidate.name === name)
  if (element === null) throw new Error(`the page has no ${name}`)
  return element
}

describe("the tree of a page", () => {
  it("keeps the first of two attributes of one name, and takes names of object members for plain attributes", () => {
    const link = first(`<a href=one href=two constructor=x __proto__=y>`, "a")
    expect([attribute(link, "href"), attribute(link, "constructor"), attribute(link, "__proto__")]).toEqual([
      "one",
      "x",
      "y"
    ])
    expect([attribute(first("<p>", "p"), "constructor"), attribute(link, "toString")]).toEqual([null, null])
  })

  it("splits classes at any white space", () => {
    expect(classesOf(first(`<p class=" a\n b\tc ">`, "p"))).toEqual(["a", "b", "c"])
    expect(classesOf(first("<p>", "p"))).toEqual([])
  })

  it("leaves the content of templates out", () => {
    expect(contentOf(bodyOf("<template><p>hidden</p></template><p>shown</p>"))).toBe("shown")
  })

  it("puts what a table cannot hold before it, linked to its neighbours", () => {
    const body = bodyOf("<p></p><table><b>x</b><tr><td>y</table>")
    expect(childrenOf(body).map(({ name }) => name)).toEqual(["p", "b", "table"])
    expect(neighbour(first("<p></p><table><b>x</b></table>", "table"), "before")?.name).toBe("b")
  })

  it("finds the neighbour across white space and comments, and none across text", () => {
    expect(neighbour(first("<i></i> <!-- c --> <b></b>", "b"), "before")?.name).toBe("i")
    expect(neighbour(first("<b></b> text <i></i>", "b"), "after")).toBeNull()
    expect(neighbour(first("<b></b>", "b"), "after")).toBeNull()
  })

  it("ends at the limit of depth", () => {
    let depth = 0
    for (let at: Element | null = bodyOf("<div>".repeat(2 * MAX_DEPTH)); at !== null; at = childrenOf(at)[0] ?? null)
      depth++
    expect(depth).toBeGreaterThan(MAX_DEPTH / 2)
    expect(depth).toBeLessThanOrEqual(MAX_DEPTH)
  })

  it("ends a search after as many nodes as were asked for", () => {
    const body = bodyOf("<p></p><p></p><b></b>")
    expect([
      findBelow(body, ({ name }) => name === "b", 2),
      findBelow(body, ({ name }) => name === "b", 3)?.name
    ]).toEqual([null, "b"])
    expect(parentOf(first("<div><b></b></div>", "b"))?.name).toBe("div")
  })
})
