import * as fc from "fast-check"
import { expect, it } from "vitest"
import { escapeElementText, escapeMarkup, unescapeMarkup } from "../../engine/text/MarkupText.ts"

it("escapes what markup would take for its own, quotes only where attributes need it", () => {
  expect(escapeMarkup(`<a href="x">'&'</a>`)).toBe("&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;")
  expect(escapeElementText(`"it's" <b> & c`)).toBe(`"it's" &lt;b&gt; &amp; c`)
})

it("reads back what it escaped, and leaves other entities", () => {
  fc.assert(fc.property(fc.string(), (text) => unescapeMarkup(escapeMarkup(text)) === text))
  expect(unescapeMarkup("&nbsp;&amp;lt;")).toBe("&nbsp;&lt;")
})
