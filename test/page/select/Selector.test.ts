import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { readTree } from "../../../engine/page/dom/DomWalk.ts"
import { selectElements } from "../../../engine/page/select/SelectElements.ts"
import { readSelector } from "../../../engine/page/select/Selector.ts"

const select = (html: string, selector: string) =>
  selectElements(readTree(`<!doctype html>${html}`).document, Result.getOrThrow(readSelector(selector)))

const HTML = `<html><head><meta NAME=Owner content="Docs team"><meta property="og:title" content="Orders"></head><body>
<nav class="top bar"><a href="https://status.example.com/" id="status">Status</a></nav>
<main><p><a href="/guide" rel="next nofollow">Guide</a></p><a href="/end">End</a></main></body></html>`

describe("a selector", () => {
  it.each([
    ["meta[name=Owner]", ["meta"]],
    ['meta[name="owner"]', []],
    ["META[name=owner i]", ["meta"]],
    ['meta[property="og:title"]', ["meta"]],
    ["#status", ["a"]],
    [".bar > a", ["a"]],
    ["body > a", []],
    ["body a", ["a", "a", "a"]],
    ["main > a[href^='/'], nav a", ["a", "a"]],
    ["a[rel~=next]", ["a"]],
    ["a[rel~=ne]", []],
    ['a[href$=".com/"][href*=status]', ["a"]],
    ["main * a", ["a"]],
    ["nav.top.bar", ["nav"]]
  ])("%s selects %j", (selector, tags) => {
    expect(select(HTML, selector).elements.map(({ tag }) => tag)).toEqual(tags)
  })

  it("gives attributes and text, of a script as written", () => {
    const { cut, elements } = select(
      '<a href="/x" title="T">One <b>two</b></a><script type="a/b">{ "c": 1 }</script>',
      "a, script"
    )
    expect([cut, elements]).toEqual([
      false,
      [
        { tag: "a", attributes: { href: "/x", title: "T" }, text: "One two" },
        { tag: "script", attributes: { type: "a/b" }, text: '{ "c": 1 }' }
      ]
    ])
  })

  it("says of a page with more than 500 elements that there may be others", () => {
    const { cut, elements } = select("<i>x</i>".repeat(600), "i")
    expect([cut, elements.length]).toEqual([true, 500])
  })

  it.each([
    ["", "lacks an element"],
    ["a >", "lacks an element"],
    ["> a", "lacks an element"],
    ["a:hover", 'cannot be read from ":hover" on'],
    ["a + b", "cannot be read from"],
    ["[x=", "cannot be read from"],
    [".a b#c*", "names a tag behind another part"],
    ["a ".repeat(99), "elements below each other"],
    ["a,".repeat(9) + "a", "alternatives"],
    ["a".repeat(201), "is longer than 200 characters"]
  ])("that is %j is refused", (selector, said) => {
    expect(Result.getOrThrow(Result.flip(readSelector(selector)))).toContain(said)
  })
})
