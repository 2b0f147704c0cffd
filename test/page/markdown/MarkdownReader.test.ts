import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readMarkdown, textsOf } from "../../../engine/page/markdown/MarkdownReader.ts"
import { cpuMs } from "../../harness/CpuTime.ts"

describe("readMarkdown", () => {
  it("gives blocks in reading order", () => {
    const document = readMarkdown(
      [
        "---",
        'title: "The *guide*"',
        "sidebar: 3",
        "---",
        "# Guide",
        "",
        "Some **bold** `code`, <b>tags</b>,",
        "and ![an image](i.png).",
        "",
        "- one",
        "  - two",
        "",
        "> quoted",
        "",
        '```ts title="a.ts"',
        "const a = 1",
        "```",
        "",
        "| A | B |",
        "|---|---|",
        "| 1 | `2` |",
        "",
        "    indented",
        "",
        '<Card title="x">',
        "<p>Inside</p>",
        "</Card>"
      ].join("\r\n")
    )
    expect(document.title).toBe("The *guide*")
    expect(document.frontMatter).toBe('title: "The *guide*"\nsidebar: 3')
    expect(document.blocks).toEqual([
      { kind: "heading", level: 1, text: "Guide" },
      { kind: "paragraph", text: "Some bold code, tags, and an image." },
      { kind: "paragraph", text: "one" },
      { kind: "paragraph", text: "two" },
      { kind: "paragraph", text: "quoted" },
      { kind: "code", text: "const a = 1", language: "ts", closed: true, line: 16 },
      { kind: "table", header: ["A", "B"], rows: [["1", "2"]] },
      { kind: "code", text: "indented", language: "", closed: true, line: 23 },
      { kind: "paragraph", text: "Inside" }
    ])
    expect(textsOf(document)).toContain("2")
  })

  it("keeps links as they are written, with their texts and blocks", () => {
    const { links } = readMarkdown(
      "# [Top](/)\n\nSee [the *guide*](guide page.md) or [it](<guide page.md>), <https://x.test/a>, [ref] and <a href=\"b.html\">b</a>.\n\n<a href='c'>c</a>\n\n[ref]: ../d?e=f&g#h\n\n`[no](no)`"
    )
    expect(links).toEqual([
      { href: "/", text: "Top", block: 0 },
      { href: "guide page.md", text: "it", block: 1 },
      { href: "https://x.test/a", text: "https://x.test/a", block: 1 },
      { href: "../d?e=f&g#h", text: "ref", block: 1 },
      { href: "b.html", text: "b", block: 1 },
      { href: "c", text: "c", block: 2 }
    ])
  })

  it.each([
    ["closed", "```js\na\n```\n", 0],
    ["closed by a longer fence", "~~~\na\n~~~~~\n", 0],
    ["closed in a list", "- x\n\n  ```js\n  a\n  ```\n\ny", 0],
    ["closed in a quotation", "> ```\n> a\n> ```\n", 0],
    ["closed though empty", "```\n```\n", 0],
    ["open at the end", "```js\na\n", 1],
    ["open, with another mark inside", "~~~\n```\n", 1],
    ["open, for a shorter fence closes none", "````\na\n```\n", 1],
    ["open at the end of a list", "- ```js\n  a\n\ny", 1],
    ["swallowing the next", "```js\na\n\n# b\n\n```js\nc\n```", 0]
  ])("sees whether a fence is %s", (_, text, unclosed) => {
    expect(readMarkdown(text).unclosedFences).toBe(unclosed)
  })

  it.each([
    ["front matter", "---\ntitle: A\n---\n# B", "A"],
    ["the first H1", "## C\n# B", "B"],
    ["the first heading", "## C\n### D", "C"],
    ["a rule is no front matter", "---\n\n# B\n\n---", "B"],
    ["nothing", "text", ""]
  ])("takes its title from %s", (_, text, title) => {
    expect(readMarkdown(text).title).toBe(title)
  })

  it("reads anything, in time that grows with its length", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("[", "](", "*", "_", "`", "```\n", "> ", "- ", "|", '<a href="', "<!--", "\n\n", "---\n", "    ")
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { blocks, links } = readMarkdown(pieces.join(""))
        for (const { block } of links) expect(block).toBeLessThanOrEqual(blocks.length)
      })
    )
    for (const hostile of [">", "[", "- ", "*a ", "<a href=", "| a "]) {
      const started = cpuMs()
      readMarkdown(hostile.repeat(100_000))
      expect(cpuMs() - started).toBeLessThan(3_000)
    }
  })
})
