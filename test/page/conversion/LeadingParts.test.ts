import { describe, expect, it } from "vitest"
import { convertPage } from "../../../engine/page/conversion/ConvertPage.ts"
import { readWithTree } from "../../../engine/page/read/ReadPage.ts"
import { answerOf } from "../../site/FakeContext.ts"

const PROSE =
  "<p>Quill keeps parcels in drawers, and tells everybody where each of them is; a parcel that is sent twice is kept once.</p><h2>Send</h2><p>What is sent before noon is in its drawer on the same day.</p>"

const converted = (body: string, title = "Guide | Quill"): string => {
  const answer = answerOf(
    "https://docs.quill.example/guide/",
    `<!doctype html><html lang=en><title>${title}</title><body>${body}</body></html>`
  )
  const { page, tree } = readWithTree({ answer })
  const conversion = convertPage(page, tree)
  return conversion._tag === "Converted" ? conversion.text : conversion.reason
}

/** The first line, and the last one. */
const ends = (markdown: string): ReadonlyArray<string> => {
  const lines = markdown.trim().split("\n")
  return [lines[0] ?? "", lines.at(-1) ?? ""]
}

const LAST = "What is sent before noon is in its drawer on the same day."

describe("the Markdown of a page", () => {
  it.each([
    [
      'Language <a href="/guide/">EN</a> <a href="/es/guide/">ES</a>',
      "Language [EN](https://docs.quill.example/guide/) [ES](https://docs.quill.example/es/guide/)"
    ],
    [
      'English | <a href="/zh/guide/">简体中文</a> | <a href="/pt/guide/">Português (Brasil)</a>',
      "English | [简体中文](https://docs.quill.example/zh/guide/) | [Português (Brasil)](https://docs.quill.example/pt/guide/)"
    ]
  ])("begins with its heading, and ends with the languages that stand before it: %s", (languages, last) => {
    expect(ends(converted(`<main><p>${languages}</p><h1>Guide</h1>${PROSE}</main>`))).toEqual(["# Guide", last])
  })

  it("keeps a list of languages with many links", () => {
    const items = ["Deutsch", "English", "Español", "Français", "日本語"].map(
      (name, index) => `<li><a href="/l${index}/">${name}</a></li>`
    )
    const markdown = converted(`<main><div><ul>${items.join("")}</ul></div><h1>Guide</h1>${PROSE}</main>`)
    expect(ends(markdown)).toEqual(["# Guide", "- [日本語](https://docs.quill.example/l4/)"])
    expect(markdown.match(/docs\.quill\.example\/l\d/g)).toHaveLength(5)
  })

  it.each([
    ["prose about languages", '<p>Spanish and <a href="/de/">German</a> are kept.</p>'],
    ["a link to one language", '<p><a href="/de/">Deutsch</a></p>'],
    ["names without links", "<p>Deutsch, English</p>"]
  ])("begins as the page does with %s", (_what, first) => {
    const [begin, end] = ends(converted(`<main>${first}<h1>Guide</h1>${PROSE}</main>`))
    expect([begin?.startsWith("#"), end]).toEqual([false, LAST])
  })

  it("begins with its heading, and ends with the name of the site that a banner shows above it", () => {
    const markdown = converted(
      `<div class="hero"><div><h1>Quill</h1></div></div><section><div><h1>Guide</h1>${PROSE}</div></section>`
    )
    expect(ends(markdown)).toEqual(["# Guide", "## Quill"])
    expect(
      ends(
        converted(
          `<div class="hero"><h1>Quill documentation</h1></div><div><h1>Guides</h1>${PROSE}</div>`,
          "How to send"
        )
      )
    ).toEqual(["# Guides", "## Quill documentation"])
  })

  it("begins with the heading that is the page's title, and ends with a notice that stands above it", () => {
    const markdown = converted(
      `<main><h1>A new documentation!</h1><p><a href="/new/">See the beta</a></p><h1>Guide</h1>${PROSE}</main>`
    )
    expect(ends(markdown)).toEqual(["# Guide", "[See the beta](https://docs.quill.example/new/)"])
    expect(markdown).toContain("\n## A new documentation!\n\n[See")
  })

  it.each([
    ["the page's own title", "<header><h1>Guide</h1></header><div><h1>Install</h1>"],
    ["a heading of the same text", "<div><h1>Quill</h1><h1>Install</h1>"],
    ["a heading with words below it", "<div><h1>Quill</h1><p>Parcels in drawers.</p></div><div><h1>Install</h1>"],
    ["a heading with code below it", "<div><h1>Quill</h1><pre>quill send</pre></div><div><h1>Guide</h1>"]
  ])("begins with %s", (_what, first) => {
    const shown = /<h1>(\w+)/.exec(first)?.[1]
    expect(ends(converted(`<main>${first}${PROSE}</div></main>`))).toEqual([`# ${shown}`, LAST])
  })
})
