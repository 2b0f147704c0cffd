import { describe, expect, it } from "vitest"
import { type AgentConversion, lastSentence, readAsAgent } from "../../../engine/page/conversion/AgentReading.ts"
import { answerOf, ORIGIN } from "../../site/FakeContext.ts"

const PAGE = `<!doctype html><html><head><title>Keys</title><style>p { color: red }</style></head><body>
<nav><a href="/start">Start here</a></nav>
<main><h1>Keys</h1><p>Send your key in a <a href="/headers">header</a>. It is a secret.</p></main>
<script>track("no text")</script><footer>Made by us.</footer></body></html>`

const reading = (converts: AgentConversion | null, keeps: number | null = null) =>
  readAsAgent(answerOf(`${ORIGIN}/keys`, PAGE), { converts, keeps })

describe("what the model of an agent is given", () => {
  it("is the body as it is where no conversion is published", () => {
    expect(reading(null)).toMatchObject({ characters: PAGE.length, given: PAGE.length })
  })

  it("is the whole page as Markdown, its navigation included and its scripts not", () => {
    const markdown = `[Start here](${ORIGIN}/start)\n\n# Keys\n\nSend your key in a [header](${ORIGIN}/headers). It is a secret.\n\nMade by us.\n`
    expect(reading("markdown")).toEqual({
      characters: markdown.length,
      given: markdown.length,
      ends: "Made by us."
    })
  })

  it("is the main content alone for a tool that looks for the article", () => {
    const markdown = `# Keys\n\nSend your key in a [header](${ORIGIN}/headers). It is a secret.\n`
    expect(reading("article")).toEqual({
      characters: markdown.length,
      given: markdown.length,
      ends: "It is a secret."
    })
  })

  it("is the text of the whole page without the URLs of its links", () => {
    const text = "Start here\nKeys\nSend your key in a header. It is a secret.\nMade by us."
    expect(reading("text")?.characters).toBeGreaterThanOrEqual(text.length)
    expect(reading("text")?.characters).toBeLessThan(text.length + 10)
    expect(reading("text")?.ends).toBe("Made by us.")
  })

  it("ends in the middle of a sentence where the tool cuts it there", () => {
    expect(reading("article", 20)).toMatchObject({ given: 20, ends: "Send your ke" })
  })

  it("is Markdown and JSON as they are, whatever the tool does with HTML", () => {
    const markdown = answerOf(`${ORIGIN}/keys.md`, { body: "# Keys\n\n<b>Bold</b>", type: "text/markdown" })
    expect(readAsAgent(markdown, { converts: "text", keeps: null })).toMatchObject({ characters: 19 })
    const json = answerOf(`${ORIGIN}/openapi.json`, { body: "{}", type: "application/json" })
    expect(readAsAgent(json, { converts: "markdown", keeps: null })).toEqual({ characters: 2, given: 2, ends: "{}" })
  })

  it("is not known of a page that is longer than what is read of one", () => {
    const elements = answerOf(`${ORIGIN}/`, `<!doctype html><main>${"<p><b>a</b></p>".repeat(400_000)}`)
    expect(readAsAgent(elements, { converts: "markdown", keeps: 5_000 })).toBeNull()
    const cut = { ...answerOf(`${ORIGIN}/keys`, PAGE), cut: true }
    expect(readAsAgent(cut, { converts: null, keeps: null })).toBeNull()
  })

  it("is nothing where the answer is no text", () => {
    const pdf = answerOf(`${ORIGIN}/keys.pdf`, { body: "%PDF", type: "application/pdf" })
    expect(readAsAgent(pdf, { converts: "markdown", keeps: null })).toBeNull()
  })
})

describe("the last sentence", () => {
  it.each([
    ["One. Two. Three.", "Three."],
    ["One. Two. Thr", "Thr"],
    ["A list\n- first\n- second\n", "- second"],
    ["鍵を送ります。秘密です。", "秘密です。"],
    ["Version 2.1 of it", "Version 2.1 of it"],
    ["", ""]
  ])("of %j is %j", (text, sentence) => {
    expect(lastSentence(text)).toBe(sentence)
  })

  it("of a long one is its end, on one line and without what is invisible", () => {
    const sentence = lastSentence(`${"word ".repeat(500)}\u202eend\u0007`)
    expect(sentence.length).toBeLessThanOrEqual(200)
    expect(sentence).toMatch(/^…[\x20-\x7e]+ end$/)
  })
})
