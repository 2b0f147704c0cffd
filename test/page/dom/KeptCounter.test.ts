import { describe, expect, it } from "vitest"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { answerOf, ORIGIN } from "../../site/FakeContext.ts"

const keptOf = (body: string) =>
  readPage({
    answer: answerOf(`${ORIGIN}/page`, `<!doctype html><html><head><title>T</title></head><body>${body}</body></html>`)
  }).kept

describe("what a converting agent keeps of a page", () => {
  it("is the text of the page with the marks and URLs of Markdown, menus and hidden parts included", () => {
    const markdown = "[Home](/)\n\n# Keys\n\nA `key` for you.\n\n- One\n\nOld"
    const kept = keptOf(
      `<nav><a href="/">Home</a></nav><main><h1>Keys</h1><p>A <code>key</code> for you.</p><ul><li>One</li></ul></main><div hidden>Old</div>`
    )
    expect(kept.characters).toBe(markdown.length)
  })

  it("leaves out scripts, styles, drawings and the head", () => {
    const text = "<p>Only this is kept of the page.</p>"
    expect(
      keptOf(`<style>p{}</style><script>run()</script><svg><text>x</text></svg>${text}<template>t</template>`)
    ).toEqual(keptOf(text))
  })

  it("knows what of it is main content, and where that ends", () => {
    const { characters, content, contentEnd } = keptOf(
      `<nav>${"menu ".repeat(100)}</nav><main><p>${"word ".repeat(20)}</p></main><footer>${"foot ".repeat(60)}</footer>`
    )
    expect(content).toBe(100)
    expect(contentEnd).toBe(500 + 2 + 100)
    expect(characters).toBe(500 + 2 + 100 + 2 + 300)
  })

  it("counts bytes of UTF-8 beside characters", () => {
    expect(keptOf("<p>Größe</p>")).toMatchObject({ characters: 5, bytes: 7 })
  })

  it("is all of a page that is Markdown itself", () => {
    const { kept } = readPage({
      answer: answerOf(`${ORIGIN}/page.md`, { body: "# Keys\n\nA key.\n", type: "text/markdown" })
    })
    expect(kept).toEqual({ characters: 15, bytes: 15, content: 15, contentEnd: 15 })
  })
})
