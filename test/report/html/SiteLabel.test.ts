import { render } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import { shownName } from "../../../engine/text/ShownName.ts"
import { docHtml } from "../../../server/pages/docs/DocHtml.ts"
import { siteLabel } from "../../../engine/report/html/Parts.ts"

describe("the name of a site", () => {
  it.each([
    ["docs.example.com/v2", "docs.example.com/v2"],
    ["xn--bcher-kva.example", "bücher.example"],
    ["xn--mgbh0fb.xn--kgbechtv/%D8%AA%D9%88%D8%AB%D9%8A%D9%82", "مثال.إختبار/توثيق"],
    ["docs.example.org/%F0%9F%93%9A", "docs.example.org/📚"],
    ["xn--fsqu00a.example", "例子.example"]
  ])("%s is decoded", (site, text) => {
    expect(shownName(site)).toEqual({ text, isLookalike: false })
  })

  it.each([
    ["letters of two scripts", "xn--pple-43d.com"],
    ["Cyrillic letters that look like Latin ones", "xn--e1awd7f.com"]
  ])("with %s stays as it is in the DNS, and is flagged", (_why, site) => {
    expect(shownName(site)).toEqual({ text: site, isLookalike: true })
    expect(render(siteLabel(site))).toContain("lookalike name")
  })

  it.each([
    "docs.example.com/a%2Fb",
    "docs.example.com/a%20b",
    "docs.example.com/%E2%80%AEgpj",
    "docs.example.com/100%",
    "docs.example.com/%C3%28",
    "docs.example.com/%3Cb%3E"
  ])("%s keeps what would read as another path when decoded", (site) => {
    expect(shownName(site).text).toBe(site)
  })

  it("breaks after dots, slashes and hyphens, and nowhere else", () => {
    expect(render(siteLabel("docs.my-api.dev/java/docs"))).toBe(
      '<bdi dir="ltr">docs.<wbr/>my-<wbr/>api.<wbr/>dev/<wbr/>java/<wbr/>docs</bdi>'
    )
  })

  it("does not break before its first word, nor within what leads to it", () => {
    expect(render(siteLabel("https://docs.dev/--a/b"))).toBe(
      '<bdi dir="ltr">https://docs.<wbr/>dev/<wbr/>--a/<wbr/>b</bdi>'
    )
  })
})

describe("code in a line of the documentation", () => {
  const inline = (code: string): string => docHtml(`# Title\n\n\`${code}\``, "Title", (href) => href).html

  it("does not break within a flag", () => {
    expect(inline("--require-reliable")).toBe('<p><code class="nowrap">--require-reliable</code></p>\n')
    expect(inline("-o")).toBe('<p><code class="nowrap">-o</code></p>\n')
  })

  it("breaks within a flag that is long or has a value, and within a URL", () => {
    expect(inline("--a-flag-of-more-than-28-letters")).toContain("<wbr>")
    expect(inline("--min-score/80")).toContain("<wbr>")
    expect(inline("/.well-known/api-catalog")).toBe("<p><code>/.well-<wbr>known/<wbr>api-<wbr>catalog</code></p>\n")
  })

  it("breaks there, too", () => {
    expect(docHtml("# Title\n\nAsk `/oauth/register` with `a<b`.", "Title", (href) => href).html).toBe(
      "<p>Ask <code>/oauth/<wbr>register</code> with <code>a&lt;b</code>.</p>\n"
    )
  })
})
