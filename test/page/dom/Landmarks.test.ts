import { describe, expect, it } from "vitest"
import { findBelow, type Element, isElement } from "../../../engine/page/dom/HtmlTree.ts"
import { parseHtml } from "../../../engine/page/dom/HtmlParser.ts"
import { containerName, isControl, isPermalink, isSurrounding, isUnseen } from "../../../engine/page/dom/Landmarks.ts"

/** The element with the attribute `x`. */
const marked = (html: string): Element => {
  const root = parseHtml(html).children.find(isElement)
  const found = root === undefined ? null : findBelow(root, ({ attribs }) => "x" in attribs)
  if (found === null) throw new Error("nothing is marked")
  return found
}

describe("an element that is not seen", () => {
  it.each([
    ["is hidden", "<p hidden x>", true],
    ["has such a style", '<p style="color: red; display: none" x>', true],
    ["is for screen readers", '<span class="a sr-only" x>', true],
    ["is never text", "<template x></template>", true],
    ["is not the panel of a tab, which opens on a press", "<div role=tabpanel hidden x>", false],
    ["is not a paragraph", "<p x>", false]
  ])("%s", (_, html, unseen) => expect(isUnseen(marked(html))).toBe(unseen))
})

describe("what surrounds content", () => {
  it.each([
    ["a navigation", "<nav x></nav>", false, true],
    ["a page's header", "<header x></header>", false, true],
    ["not a header within content", "<header x></header>", true, false],
    ["a sidebar by its class", "<div class=theme-doc-sidebar-container x></div>", false, true],
    ["an aside", "<aside x></aside>", false, true],
    ["not a callout", "<aside class=admonition x></aside>", true, false],
    ["not a wrapper that holds the content", "<div class=sidebar x><main></main></div>", false, false],
    ["a table of contents within content", "<ul class=markdown-toc x><li><a href=#one>One</a></ul>", true, true],
    [
      "not a list of other pages, whatever its class",
      "<ol class=collection__toc x><li><a href=/one/>One</a></ol>",
      true,
      false
    ],
    [
      "a list of other pages beside the content",
      "<ol class=collection__toc x><li><a href=/one/>One</a></ol>",
      false,
      true
    ],
    [
      "not cards with their texts within content",
      "<nav x><a href=/sms/><h2>SMS</h2><p>Send messages to recipients or groups, and more.</p></a></nav>",
      true,
      false
    ],
    ["a menu within content", "<nav x><h5>Guides</h5><ul><li><a href=/sms/>SMS</a></ul></nav>", true, true],
    ["not VitePress' content of a page called so", '<div class="vp-doc _guide_pagination" x></div>', true, false],
    ["not a switch that is named after one", "<div class=has-sidebar x></div>", false, false]
  ])("%s", (_, html, inContent, surrounds) => expect(isSurrounding(marked(html), inContent)).toBe(surrounds))
})

describe("a content container", () => {
  it.each([
    ["main", "<main x></main>", "main"],
    ["a role", "<section role=main x></section>", "[role=main]"],
    ["a generator's class", '<div class="a vp-doc" x></div>', ".vp-doc"],
    ["YARD's content in its main part", "<div id=main><div id=content x></div></div>", "#content"],
    ["nothing of that name elsewhere", "<div id=content x></div>", null]
  ])("is told by %s", (_, html, name) => expect(containerName(marked(html))).toBe(name))
})

it("tells controls and permalinks from text", () => {
  expect([
    isControl(marked("<button x></button>")),
    isControl(marked("<span role=button x></span>")),
    isControl(marked("<a x></a>"))
  ]).toEqual([true, true, false])
  expect([
    isPermalink(marked("<a class=headerlink x></a>")),
    isPermalink(marked("<span class=headerlink x></span>")),
    isPermalink(marked("<doc-anchor-trigger to=#a x>#</doc-anchor-trigger>")),
    isPermalink(marked("<doc-link to=#a x>Keys</doc-link>"))
  ]).toEqual([true, false, true, false])
})
