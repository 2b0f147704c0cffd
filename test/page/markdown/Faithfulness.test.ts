import { describe, expect, it } from "vitest"
import { faithfulness } from "../../../engine/page/markdown/Faithfulness.ts"
import { readMarkdown } from "../../../engine/page/markdown/MarkdownReader.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { cpuMs } from "../../harness/CpuTime.ts"
import { answerOf, ORIGIN } from "../../site/FakeContext.ts"

const PROSE = "Every request carries a key, and every answer says how many more are allowed before the window closes."

const compared = (body: string, markdown: string, url = `${ORIGIN}/docs/page.md`) =>
  faithfulness(
    readPage({ answer: answerOf(`${ORIGIN}/docs/page`, `<!doctype html><html><body>${body}</body></html>`) }),
    { url, text: markdown, document: readMarkdown(markdown) },
    20
  )

const main = (content: string): string =>
  `<nav><a href="/other">Other</a></nav><main><h1>Page</h1><p>${PROSE}</p>${content}</main>`
const ABOVE = `# Page\n\n${PROSE}\n\n`

describe("what of a page is in its Markdown", () => {
  it("is each line of code, also in the cells of a table", () => {
    const table = "| a |\n|---|\n| `try:`<br>`    run(1)`<br>`finally:` |\n"
    const { code } = compared(
      main("<table><tr><td>a</td></tr><tr><td><pre>try:\n    run(1)\nfinally:</pre></td></tr></table>"),
      `${ABOVE}${table}`
    )
    expect(code).toEqual({ total: 3, missing: [] })
  })

  it("lacks lines that stick together, and those that have lost a sign", () => {
    const { code } = compared(
      main("<pre>import parcel\nship(box)\nif a &lt; b: stop()</pre>"),
      `${ABOVE}\`\`\`\nimport parcelship(box)\nif a &lt; b: stop()\n\`\`\`\n`
    )
    expect(code).toEqual({ total: 3, missing: ["import parcel", "ship(box)", "if a < b: stop()"] })
  })

  it("is the URL of each link outside navigation, whatever file of the page it leads to", () => {
    const { targets } = compared(
      main(
        '<a href="/docs/a/">A</a> <a href="b.html">B</a> <a href="/docs/c#x">C</a> <a href="https://example.org/d">D</a> <a href="#here">E</a>'
      ),
      `${ABOVE}[A](a/index.md) [B](https://published.example/docs/b.md) [D](https://example.org/d)\n`
    )
    expect(targets).toEqual({ total: 4, missing: [`${ORIGIN}/docs/c`] })
  })

  it("is each heading to the fourth level, by its name without numbers and parameters", () => {
    const { headings } = compared(
      main("<h2>1.2 Keys</h2><h3>ship(box, to)</h3><h4>Lost one</h4><h5>note</h5>"),
      `${ABOVE}## Keys\n\n### ship\n\nLost one\n`
    )
    expect(headings).toEqual({ total: 4, missing: ["Lost one"] })
  })

  it("is the page's text outside navigation where its main content is one card of several", () => {
    const cards = ["one", "two", "three"].map(
      (name) => `<article><h2>Card ${name}</h2><p>${PROSE} In ${name}.</p></article>`
    )
    const { headings, segments } = compared(
      `<nav><a href="/">A menu with a long enough text</a></nav><h1>Home</h1><p>Everything about parcels and boxes.</p>${cards.join("")}`,
      `# Home\n\n## Card one\n\n${PROSE} In one.\n`
    )
    expect(headings.missing.toSorted()).toEqual(["Card three", "Card two"])
    expect(segments.missing).toContain("Everything about parcels and boxes.")
    expect(segments.missing.join(" ")).not.toContain("menu")
  })

  it("is told of hostile texts in linear time", () => {
    const lines = "aaaa\n".repeat(100_000)
    const long = Array.from({ length: 50 }, (_, index) => `${"a".repeat(1_900)}b${index}`).join("\n")
    const before = cpuMs()
    compared(main(`<pre>${long}</pre>`), `${ABOVE}\`\`\`\n${lines}\`\`\`\n`)
    expect(cpuMs() - before).toBeLessThan(3_000)
  })
})
