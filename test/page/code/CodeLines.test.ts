import { describe, expect, it } from "vitest"
import type { CodeBlock } from "../../../engine/page/Page.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { answerOf, ORIGIN } from "../../site/FakeContext.ts"

const inHtml = (body: string): ReadonlyArray<CodeBlock> =>
  readPage({ answer: answerOf(`${ORIGIN}/`, `<!doctype html><body><main>\n${body}\n</main>`) }).codeBlocks

const inMarkdown = (body: string): ReadonlyArray<CodeBlock> =>
  readPage({ answer: answerOf(`${ORIGIN}/a.md`, { body, type: "text/markdown" }) }).codeBlocks

const places = (blocks: ReadonlyArray<CodeBlock>) => blocks.map(({ line, lineByLine }) => [line, lineByLine])

describe("the line of a code block in HTML", () => {
  it("is where its text begins, after tags and line breaks", () => {
    expect(places(inHtml("<p>One</p>\n<pre>\nget()\nset()\n</pre>"))).toEqual([[4, true]])
    expect(places(inHtml('<pre><code class="x">\n\n  get()</code></pre>'))).toEqual([[4, true]])
    expect(places(inHtml("<pre><code>&lt;a&gt;</code></pre>"))).toEqual([[2, true]])
  })

  it("is the same whether lines end in LF or CRLF", () => {
    expect(places(inHtml("<p>One</p>\r\n\r\n<pre>get()\r\nset()\r\n</pre>"))).toEqual([[4, true]])
  })

  it("is known for each of several blocks, also far into a page", () => {
    const filler = `<p>${"word ".repeat(30_000)}</p>\n`
    expect(places(inHtml(`<pre>a()</pre>\n${filler}<pre>b()</pre>\n${filler}\n<pre>c()</pre>`))).toEqual([
      [2, true],
      [4, true],
      [7, true]
    ])
  })

  it("holds for all lines where a highlighter has put them on one", () => {
    const line = (code: string) => `<span class="token-line" style="display:block">${code}</span>`
    expect(places(inHtml(`<pre><code>${line("a()")}${line("b()")}</code></pre>`))).toEqual([[2, false]])
  })

  it("is not known where something else comes before the code", () => {
    expect(places(inHtml("<pre><button>Copy</button>get()</pre>"))).toEqual([[null, false]])
  })
})

describe("the line of a code block in Markdown", () => {
  it("is the line after its fence, and the first one of an indented block", () => {
    expect(places(inMarkdown("# A\n\n```js\nget()\n```\n\ntext\n\n    indented\n"))).toEqual([
      [4, true],
      [9, true]
    ])
  })

  it("counts the front matter", () => {
    expect(places(inMarkdown("---\ntitle: A\n---\n\n```js\nget()\n```\n"))).toEqual([[6, true]])
  })
})
