import * as fc from "fast-check"
import { expect, it } from "vitest"
import { escapeElementText, escapeMarkup } from "../../engine/text/MarkupText.ts"

it("escapes what markup would take for its own, quotes only where attributes need it", () => {
  expect(escapeMarkup(`<a href="x">'&'</a>`)).toBe("&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;")
  expect(escapeElementText(`"it's" <b> & c`)).toBe(`"it's" &lt;b&gt; &amp; c`)
})

it("leaves nothing that markup takes for its own, and loses nothing", () => {
  const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }
  const read = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? "")
  fc.assert(fc.property(fc.string(), (text) => !/[<>"']/.test(escapeMarkup(text)) && read(escapeMarkup(text)) === text))
})
